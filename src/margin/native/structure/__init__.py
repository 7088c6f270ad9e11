"""Scores, tests and searches of networks."""
