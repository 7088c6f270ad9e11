"""Dynamic Bayesian networks: a network in every slice of time, and edges from each to the next."""
