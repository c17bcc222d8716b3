"""Runs tests on subjects in forked children and turns what happened into verdicts."""
