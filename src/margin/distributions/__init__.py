"""Distributions as immutable values: densities, moments, sampling, and fits by statistics."""

from margin.core import publish
from margin.distributions._base import Belief, Distribution, ExponentialFamily, Univariate
from margin.distributions.compound._joint_statistics import JointStatistics
from margin.distributions.compound._mixture import MixtureDistribution
from margin.distributions.compound._product import Product
from margin.distributions.compound._product_family import ProductFamily
from margin.distributions.conjugate._beta_bernoulli import BetaBernoulli
from margin.distributions.conjugate._dirichlet_categorical import DirichletCategorical
from margin.distributions.conjugate._gamma_rates import GammaExponential, GammaPoisson
from margin.distributions.conjugate._normal_inverse_gamma import NormalInverseGamma
from margin.distributions.conjugate._normal_inverse_wishart import NormalInverseWishart
from margin.distributions.conjugate._normal_mean import NormalMean
from margin.distributions.conjugate._registry import conjugate_beliefs
from margin.distributions.conjugate._vector_mean import VectorMean
from margin.distributions.continuous._beta import Beta
from margin.distributions.continuous._exponential import Exponential
from margin.distributions.continuous._gamma import Gamma
from margin.distributions.continuous._inverse_gamma import InverseGamma
from margin.distributions.continuous._laplace import Laplace
from margin.distributions.continuous._lomax import Lomax
from margin.distributions.continuous._normal import Normal
from margin.distributions.continuous._student_t import StudentT
from margin.distributions.continuous._uniform import Uniform
from margin.distributions.continuous._von_mises import VonMises
from margin.distributions.discrete._bernoulli import Bernoulli
from margin.distributions.discrete._beta_binomial import BetaBinomial
from margin.distributions.discrete._binomial import Binomial
from margin.distributions.discrete._categorical import Categorical
from margin.distributions.discrete._empirical import Empirical
from margin.distributions.discrete._negative_binomial import NegativeBinomial
from margin.distributions.discrete._poisson import Poisson
from margin.distributions.information._divergence import monte_carlo_kl
from margin.distributions.matrix._inverse_wishart import InverseWishart
from margin.distributions.matrix._wishart import Wishart
from margin.distributions.multivariate._dirichlet import Dirichlet
from margin.distributions.multivariate._dirichlet_multinomial import DirichletMultinomial
from margin.distributions.multivariate._multinomial import Multinomial
from margin.distributions.multivariate._multivariate_normal import MultivariateNormal
from margin.distributions.multivariate._student_vector import StudentVector
from margin.distributions.statistics._column_moments import ColumnMoments
from margin.distributions.statistics._extremes import Extremes
from margin.distributions.statistics._moments import Moments
from margin.distributions.statistics._sample import WeightedSample
from margin.distributions.statistics._state_counts import StateCounts
from margin.distributions.statistics._totals import Totals

__all__ = [
    "Belief",
    "Bernoulli",
    "Beta",
    "BetaBernoulli",
    "BetaBinomial",
    "Binomial",
    "Categorical",
    "ColumnMoments",
    "Dirichlet",
    "DirichletCategorical",
    "DirichletMultinomial",
    "Distribution",
    "Empirical",
    "Exponential",
    "ExponentialFamily",
    "Extremes",
    "Gamma",
    "GammaExponential",
    "GammaPoisson",
    "InverseGamma",
    "InverseWishart",
    "JointStatistics",
    "Laplace",
    "Lomax",
    "MixtureDistribution",
    "Moments",
    "Multinomial",
    "MultivariateNormal",
    "NegativeBinomial",
    "Normal",
    "NormalInverseGamma",
    "NormalInverseWishart",
    "NormalMean",
    "Poisson",
    "Product",
    "ProductFamily",
    "StateCounts",
    "StudentT",
    "StudentVector",
    "Totals",
    "Uniform",
    "Univariate",
    "VectorMean",
    "VonMises",
    "WeightedSample",
    "Wishart",
    "conjugate_beliefs",
    "monte_carlo_kl",
]

publish(__name__)
