"""Hidden Markov models: emissions, learning, decoding, forecasting."""
