"""Penalties as immutable values: value, gradient or proximal step, and what they promise."""

from margin.core import publish
from margin.penalties._base import Penalty
from margin.penalties._budget import matching_strength, ridge_size
from margin.penalties._elastic_net import ElasticNet
from margin.penalties._functional import Functional
from margin.penalties._l1 import L1
from margin.penalties._l1_ball import L1Ball
from margin.penalties._l2 import L2
from margin.penalties._l2_ball import L2Ball
from margin.penalties._max_norm import MaxNorm
from margin.penalties._prior import from_gaussian_prior, from_laplace_prior, log_prior
from margin.penalties._quadratic import Quadratic
from margin.penalties._rkhs import RKHS
from margin.penalties._roughness import roughness_matrix
from margin.penalties._strength import convert_strength
from margin.penalties._zero import Zero

__all__ = [
    "L1",
    "L2",
    "RKHS",
    "ElasticNet",
    "Functional",
    "L1Ball",
    "L2Ball",
    "MaxNorm",
    "Penalty",
    "Quadratic",
    "Zero",
    "convert_strength",
    "from_gaussian_prior",
    "from_laplace_prior",
    "log_prior",
    "matching_strength",
    "ridge_size",
    "roughness_matrix",
]

publish(__name__)
