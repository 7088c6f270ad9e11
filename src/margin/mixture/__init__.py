"""Mixture models: finite mixtures by EM and variational Bayes."""

from margin.core import publish
from margin.mixture.finite._bayesian_gaussian_mixture import BayesianGaussianMixture
from margin.mixture.finite._gaussian_mixture import GaussianMixture

__all__ = [
    "BayesianGaussianMixture",
    "GaussianMixture",
]

publish(__name__)
