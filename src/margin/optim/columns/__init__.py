"""Sparse linear models column by column: coordinate descent, working sets, prox-Newton, paths."""
