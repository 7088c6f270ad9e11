"""Parameters of undirected models."""
