"""Losses as immutable values: sum, slope, curvature, and what they promise."""

from margin.losses._base import Loss
from margin.losses._logistic import Logistic
from margin.losses._softmax import Softmax
from margin.losses._squared import Squared

__all__ = ["Logistic", "Loss", "Softmax", "Squared"]
