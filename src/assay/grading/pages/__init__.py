"""Reading and checking HTML pages in answers."""
