"""Hidden Markov models with a belief about their parameters."""
