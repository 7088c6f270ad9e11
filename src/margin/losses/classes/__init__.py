"""Losses of the scores of several classes."""
