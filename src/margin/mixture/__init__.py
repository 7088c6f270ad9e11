"""Mixture models: finite mixtures by EM and variational Bayes."""

from margin.core import publish
from margin.mixture.finite._bayesian_gaussian_mixture import BayesianGaussianMixture
from margin.mixture.finite._gaussian_mixture import GaussianMixture
from margin.mixture.finite._generator import DrawnMixture, draw_gaussian_mixture
from margin.mixture.finite._known_variance import known_variance_means
from margin.mixture.finite._mixture import Mixture
from margin.mixture.regression._mixture_of_experts import MixtureOfExperts
from margin.mixture.regression._mixture_of_regressions import MixtureOfRegressions
from margin.mixture.regression._predicted_mixture import PredictedMixture

__all__ = [
    "BayesianGaussianMixture",
    "DrawnMixture",
    "GaussianMixture",
    "Mixture",
    "MixtureOfExperts",
    "MixtureOfRegressions",
    "PredictedMixture",
    "draw_gaussian_mixture",
    "known_variance_means",
]

publish(__name__)
