"""Graphs as the minimum of a smooth function of a matrix, for comparison."""
