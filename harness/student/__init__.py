"""The student's side: a folder of their own, and what is said of the code in it."""
