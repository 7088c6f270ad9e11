"""Losses of the margin between two classes."""
