"""Dirichlet processes: partitions, urns, sticks, and mixtures without a number of components."""
