"""Asking a judge and reading its verdict: the fence around texts, the question, the strict parser."""
