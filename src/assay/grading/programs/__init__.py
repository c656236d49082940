"""Taking programs out of answers and putting tests to them."""
