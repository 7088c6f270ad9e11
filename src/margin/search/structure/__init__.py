"""Structure: tests of independence, scores of graphs, and searches over graphs."""
