"""Exact inference on factor tables."""
