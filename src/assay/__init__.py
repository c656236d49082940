"""Assay measures language models honestly."""
