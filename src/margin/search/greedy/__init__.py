"""Greedy search over equivalence classes of graphs, with and without interventions."""
