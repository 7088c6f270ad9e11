"""Which belief is conjugate to which family."""

from typing import Any

from margin.core import check
from margin.distributions.conjugate._beta_bernoulli import BetaBernoulli
from margin.distributions.conjugate._dirichlet_categorical import DirichletCategorical
from margin.distributions.conjugate._gamma_rates import GammaExponential, GammaPoisson
from margin.distributions.conjugate._normal_inverse_gamma import NormalInverseGamma
from margin.distributions.conjugate._normal_inverse_wishart import NormalInverseWishart
from margin.distributions.conjugate._normal_mean import NormalMean
from margin.distributions.conjugate._vector_mean import VectorMean
from margin.distributions.continuous._exponential import Exponential
from margin.distributions.continuous._normal import Normal
from margin.distributions.discrete._bernoulli import Bernoulli
from margin.distributions.discrete._binomial import Binomial
from margin.distributions.discrete._categorical import Categorical
from margin.distributions.discrete._poisson import Poisson
from margin.distributions.multivariate._multinomial import Multinomial
from margin.distributions.multivariate._multivariate_normal import MultivariateNormal

CONJUGATE: dict[type, tuple[type, ...]] = {
    Bernoulli: (BetaBernoulli,),
    Binomial: (BetaBernoulli,),
    Categorical: (DirichletCategorical,),
    Multinomial: (DirichletCategorical,),
    Poisson: (GammaPoisson,),
    Exponential: (GammaExponential,),
    Normal: (NormalInverseGamma, NormalMean),
    MultivariateNormal: (NormalInverseWishart, VectorMean),
}


def conjugate_beliefs(family: Any) -> tuple[type, ...]:
    """Beliefs about the parameters of a family that stay of their kind (distributions.31).

    Each has ``posterior``, ``predictive``, ``log_evidence``, ``expected_log_prob``, ``kl`` and
    ``mode``; the first is about all parameters, the second about the mean alone.

    Parameters
    ----------
    family : type

    Examples
    --------
    >>> [belief.__name__ for belief in conjugate_beliefs(Normal)]
    ['NormalInverseGamma', 'NormalMean']
    """
    if family not in CONJUGATE:
        names = ", ".join(sorted(key.__name__ for key in CONJUGATE))
        raise check.fail("conjugate_beliefs", "family", f"one of {names}", family)
    return CONJUGATE[family]
