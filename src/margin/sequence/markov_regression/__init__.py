"""Hidden Markov models whose states are autoregressions."""
