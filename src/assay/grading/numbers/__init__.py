"""Finding and reading numbers in answers."""
