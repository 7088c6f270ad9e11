"""Gaussian processes: regression, classification, interpolation on grids and optimisation."""

from margin.core import publish
from margin.gp.classification._classifier import GaussianProcessClassifier
from margin.gp.grid._interpolator import GridInterpolator
from margin.gp.optimisation._acquisition import (
    confidence_bound,
    expected_improvement,
    probability_of_improvement,
)
from margin.gp.optimisation._optimizer import GaussianProcessOptimizer
from margin.gp.optimisation._search_space import SearchSpace
from margin.gp.regression._kernel_ridge import KernelRidge
from margin.gp.regression._multi_output import MultiOutputGP
from margin.gp.regression._regressor import GaussianProcessRegressor

__all__ = [
    "GaussianProcessClassifier",
    "GaussianProcessOptimizer",
    "GaussianProcessRegressor",
    "GridInterpolator",
    "KernelRidge",
    "MultiOutputGP",
    "SearchSpace",
    "confidence_bound",
    "expected_improvement",
    "probability_of_improvement",
]

publish(__name__)
