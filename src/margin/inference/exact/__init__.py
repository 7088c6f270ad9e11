"""Exact inference: elimination, trees of cliques, and what they cost."""
