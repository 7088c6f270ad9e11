"""Systems along a line."""
