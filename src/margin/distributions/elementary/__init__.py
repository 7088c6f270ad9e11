"""First things: events, deltas, moments of samples, changes of variables, special functions."""
