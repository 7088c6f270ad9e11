"""Learning of hyper-parameters."""
