"""Losses as immutable values: sum, slope, curvature, and what they promise."""

from margin.core import publish
from margin.losses._base import Loss
from margin.losses.classes._softmax import Softmax
from margin.losses.classes._symmetric_cross_entropy import SymmetricCrossEntropy
from margin.losses.margin._exponential import Exponential
from margin.losses.margin._hinge import Hinge
from margin.losses.margin._logistic import Logistic
from margin.losses.margin._logistic_tangent import logistic_tangent, touching_slope
from margin.losses.margin._modified_huber import ModifiedHuber
from margin.losses.margin._perceptron import Perceptron
from margin.losses.margin._squared_hinge import SquaredHinge
from margin.losses.residual._absolute import Absolute
from margin.losses.residual._epsilon_insensitive import EpsilonInsensitive
from margin.losses.residual._full_squared import FullSquared
from margin.losses.residual._gamma import Gamma
from margin.losses.residual._huber import Huber
from margin.losses.residual._poisson import Poisson
from margin.losses.residual._quantile import Quantile
from margin.losses.residual._squared import Squared
from margin.losses.residual._squared_epsilon_insensitive import SquaredEpsilonInsensitive
from margin.losses.residual._tukey import Tukey
from margin.losses.tasks._cost_matrix import CostMatrix
from margin.losses.tasks._hamming import Hamming, WholeSequence
from margin.losses.tasks._task import TaskLoss
from margin.losses.tasks._zero_one import ZeroOne

__all__ = [
    "Absolute",
    "CostMatrix",
    "EpsilonInsensitive",
    "Exponential",
    "FullSquared",
    "Gamma",
    "Hamming",
    "Hinge",
    "Huber",
    "Logistic",
    "Loss",
    "ModifiedHuber",
    "Perceptron",
    "Poisson",
    "Quantile",
    "Softmax",
    "Squared",
    "SquaredEpsilonInsensitive",
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
