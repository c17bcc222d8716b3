"""`ol grade`: from what a class handed in to grades."""
