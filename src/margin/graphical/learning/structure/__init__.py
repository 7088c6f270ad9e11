"""Graphs from data: by scores, by tests, by both, with gaps."""
