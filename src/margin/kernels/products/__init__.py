"""Products of kernel matrices without the matrices: prepared rows, sums, functions."""
