"""The kinds of graph, as values."""
