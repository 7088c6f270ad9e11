"""Loopy and variational inference."""
