"""Graphs as matrices of weights, found by smooth optimisation."""
