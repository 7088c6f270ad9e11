"""Processes as classifiers: likelihoods and approximations of the posterior."""
