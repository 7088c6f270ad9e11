"""Sets of nodes as bits of integers, and the loops over them that all graphs share."""
