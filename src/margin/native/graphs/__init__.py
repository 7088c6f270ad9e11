"""Elimination orders."""
