"""Learning of graphical models: structure from data, and parameters that are not plain counts."""
