"""Distributions as immutable values: densities, moments, sampling, and fits by statistics."""

from margin.core import publish
from margin.distributions._base import Distribution, ExponentialFamily, Univariate
from margin.distributions.conjugate._normal_inverse_gamma import NormalInverseGamma
from margin.distributions.conjugate._normal_inverse_wishart import NormalInverseWishart
from margin.distributions.continuous._normal import Normal
from margin.distributions.continuous._student_t import StudentT
from margin.distributions.discrete._empirical import Empirical
from margin.distributions.discrete._poisson import Poisson
from margin.distributions.information._divergence import monte_carlo_kl
from margin.distributions.multivariate._multivariate_normal import MultivariateNormal
from margin.distributions.multivariate._student_vector import StudentVector
from margin.distributions.statistics._column_moments import ColumnMoments
from margin.distributions.statistics._moments import Moments

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
