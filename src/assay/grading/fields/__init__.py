"""Comparing the fields of JSON answers."""
