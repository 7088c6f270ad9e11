"""Gaussian processes: regression, classification, interpolation on grids and optimisation."""

from margin.gp._acquisition import (
    confidence_bound,
    expected_improvement,
    probability_of_improvement,
)
from margin.gp._classifier import GaussianProcessClassifier
from margin.gp._grid_interpolator import GridInterpolator
from margin.gp._kernel_ridge import KernelRidge
from margin.gp._multi_output import MultiOutputGP
from margin.gp._optimizer import GaussianProcessOptimizer
from margin.gp._regressor import GaussianProcessRegressor
from margin.gp._search_space import SearchSpace

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
