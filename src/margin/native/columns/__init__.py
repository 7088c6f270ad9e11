"""Passes over columns: coordinate descent and Gram matrices."""
