"""Latent normal variables: probabilistic and Bayesian PCA, with gaps, and a classifier of them."""
