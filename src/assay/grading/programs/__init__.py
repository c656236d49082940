"""Extracting programs from answers, and preparing unit tests."""
