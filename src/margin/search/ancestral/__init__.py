"""Graphs with hidden common causes, learnt by tests of conditional independence."""
