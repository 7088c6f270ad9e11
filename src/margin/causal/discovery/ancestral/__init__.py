"""Graphs with hidden common causes, by tests of conditional independence."""
