"""Approximate neighbours by hashing."""
