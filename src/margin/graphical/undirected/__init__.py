"""Models given by factors: Markov networks, Ising and Potts, log-linear, chain graphs."""
