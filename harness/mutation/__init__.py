"""Where mutants come from."""
