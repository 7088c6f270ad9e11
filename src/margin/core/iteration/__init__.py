"""Iterating: the driver, its rules, and what it returns."""
