"""Families of positive-definite matrices."""
