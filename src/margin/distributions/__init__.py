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
from margin.distributions.dependence._correlation import correlation_matrix
from margin.distributions.dependence._distance_covariance import (
    distance_correlation,
    distance_correlation_test,
    distance_covariance,
)
from margin.distributions.discrete._bernoulli import Bernoulli
from margin.distributions.discrete._beta_binomial import BetaBinomial
from margin.distributions.discrete._binomial import Binomial
from margin.distributions.discrete._categorical import Categorical
from margin.distributions.discrete._empirical import Empirical
from margin.distributions.discrete._negative_binomial import NegativeBinomial
from margin.distributions.discrete._poisson import Poisson
from margin.distributions.elementary._change_of_variables import Transformed
from margin.distributions.elementary._deltas import dirac, expectation, indicator, kronecker_delta
from margin.distributions.elementary._events import FiniteProbabilitySpace
from margin.distributions.elementary._sample_moments import (
    SampleMoments,
    conditional_expectation,
    expected_value,
    moment,
    moment_generating_function,
    sample_moments,
)
from margin.distributions.elementary._special import (
    log_bessel_k,
    log_beta,
    log_gamma,
    log_multivariate_beta,
)
from margin.distributions.estimation._empirical_bayes import empirical_bayes, empirical_bayes_steps
from margin.distributions.estimation._gap import DeltaPosterior, map_ml_gap
from margin.distributions.estimation._grid_posterior import GridPosterior
from margin.distributions.estimation._likelihood import likelihood_as_divergence, maximum_likelihood
from margin.distributions.estimation._moment_matching import fit_moments, match_moments
from margin.distributions.estimation._quality import EstimatorQuality, estimator_quality
from margin.distributions.estimation._sandwich import AsymptoticNormal, sandwich_covariance
from margin.distributions.information._divergence import monte_carlo_kl
from margin.distributions.information._fisher import cramer_rao, fisher_information, scores
from margin.distributions.information._kl import kl_divergence, monte_carlo_entropy
from margin.distributions.information._tables import (
    conditional_entropy,
    joint_entropy,
    mutual_information_of,
)
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
    "AsymptoticNormal",
    "Belief",
    "Bernoulli",
    "Beta",
    "BetaBernoulli",
    "BetaBinomial",
    "Binomial",
    "Categorical",
    "ColumnMoments",
    "DeltaPosterior",
    "Dirichlet",
    "DirichletCategorical",
    "DirichletMultinomial",
    "Distribution",
    "Empirical",
    "EstimatorQuality",
    "Exponential",
    "ExponentialFamily",
    "Extremes",
    "FiniteProbabilitySpace",
    "Gamma",
    "GammaExponential",
    "GammaPoisson",
    "GridPosterior",
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
    "SampleMoments",
    "StateCounts",
    "StudentT",
    "StudentVector",
    "Totals",
    "Transformed",
    "Uniform",
    "Univariate",
    "VectorMean",
    "VonMises",
    "WeightedSample",
    "Wishart",
    "conditional_entropy",
    "conditional_expectation",
    "conjugate_beliefs",
    "correlation_matrix",
    "cramer_rao",
    "dirac",
    "distance_correlation",
    "distance_correlation_test",
    "distance_covariance",
    "empirical_bayes",
    "empirical_bayes_steps",
    "estimator_quality",
    "expectation",
    "expected_value",
    "fisher_information",
    "fit_moments",
    "indicator",
    "joint_entropy",
    "kl_divergence",
    "kronecker_delta",
    "likelihood_as_divergence",
    "log_bessel_k",
    "log_beta",
    "log_gamma",
    "log_multivariate_beta",
    "map_ml_gap",
    "match_moments",
    "maximum_likelihood",
    "moment",
    "moment_generating_function",
    "monte_carlo_entropy",
    "monte_carlo_kl",
    "mutual_information_of",
    "sample_moments",
    "sandwich_covariance",
    "scores",
]

publish(__name__)
