"""Losses that a decision is judged by."""
