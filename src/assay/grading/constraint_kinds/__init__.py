"""The kinds of format constraints, one concept a file; `catalogue` lists them all."""
