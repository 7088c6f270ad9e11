"""Distributions as immutable values: densities, moments, sampling, and fits by statistics."""

from margin.core import publish
from margin.distributions._base import Distribution, ExponentialFamily, Univariate
from margin.distributions._divergence import monte_carlo_kl
from margin.distributions._empirical import Empirical
from margin.distributions._moments import ColumnMoments, Moments
from margin.distributions._multivariate_normal import MultivariateNormal
from margin.distributions._normal import Normal
from margin.distributions._normal_inverse_gamma import NormalInverseGamma
from margin.distributions._normal_inverse_wishart import NormalInverseWishart
from margin.distributions._poisson import Poisson
from margin.distributions._student_t import StudentT
from margin.distributions._student_vector import StudentVector

__all__ = [
    "ColumnMoments",
    "Distribution",
    "Empirical",
    "ExponentialFamily",
    "Moments",
    "MultivariateNormal",
    "Normal",
    "NormalInverseGamma",
    "NormalInverseWishart",
    "Poisson",
    "StudentT",
    "StudentVector",
    "Univariate",
    "monte_carlo_kl",
]

publish(__name__)
