"""Triangulated graphs, elimination orders, cliques and their trees."""
