"""Factors of tables with constraints."""
