"""Asking a judge and reading its verdict: the fence round what is judged, the question, the strict parser."""
