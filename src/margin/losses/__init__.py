"""Losses as immutable values: sum, slope, curvature, and what they promise."""

from margin.core import publish
from margin.losses._absolute import Absolute
from margin.losses._base import Loss
from margin.losses._cost_matrix import CostMatrix
from margin.losses._epsilon_insensitive import EpsilonInsensitive
from margin.losses._exponential import Exponential
from margin.losses._full_squared import FullSquared
from margin.losses._hamming import Hamming, WholeSequence
from margin.losses._hinge import Hinge
from margin.losses._huber import Huber
from margin.losses._logistic import Logistic
from margin.losses._logistic_tangent import logistic_tangent, touching_slope
from margin.losses._perceptron import Perceptron
from margin.losses._poisson import Poisson
from margin.losses._quantile import Quantile
from margin.losses._softmax import Softmax
from margin.losses._squared import Squared
from margin.losses._squared_hinge import SquaredHinge
from margin.losses._symmetric_cross_entropy import SymmetricCrossEntropy
from margin.losses._task import TaskLoss
from margin.losses._tukey import Tukey
from margin.losses._zero_one import ZeroOne

__all__ = [
    "Absolute",
    "CostMatrix",
    "EpsilonInsensitive",
    "Exponential",
    "FullSquared",
    "Hamming",
    "Hinge",
    "Huber",
    "Logistic",
    "Loss",
    "Perceptron",
    "Poisson",
    "Quantile",
    "Softmax",
    "Squared",
    "SquaredHinge",
    "SymmetricCrossEntropy",
    "TaskLoss",
    "Tukey",
    "WholeSequence",
    "ZeroOne",
    "logistic_tangent",
    "touching_slope",
]

publish(__name__)
