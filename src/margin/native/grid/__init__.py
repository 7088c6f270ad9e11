"""Messages on pairwise models."""
