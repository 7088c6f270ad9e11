"""Gaussian processes: regression and classification, exact and through inducing points."""

from margin.gp._classifier import GaussianProcessClassifier
from margin.gp._grid_interpolator import GridInterpolator
from margin.gp._kernel_ridge import KernelRidge
from margin.gp._multi_output import MultiOutputGP
from margin.gp._regressor import GaussianProcessRegressor

__all__ = [
    "GaussianProcessClassifier",
    "GaussianProcessRegressor",
    "GridInterpolator",
    "KernelRidge",
    "MultiOutputGP",
]
