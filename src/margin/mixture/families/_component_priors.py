"""Log densities of priors at the parameters of components."""

from typing import Any

import numpy as np

from margin.core import check
from margin.distributions import (
    BetaBernoulli,
    DirichletCategorical,
    Distribution,
    GammaExponential,
    GammaPoisson,
    InverseGamma,
    InverseWishart,
    MultivariateNormal,
    Normal,
    NormalInverseGamma,
    NormalInverseWishart,
    NormalMean,
    Product,
    VectorMean,
    conjugate_beliefs,
)

_KNOWN = (
    BetaBernoulli,
    DirichletCategorical,
    GammaExponential,
    GammaPoisson,
    NormalInverseGamma,
    NormalInverseWishart,
    NormalMean,
    VectorMean,
)


def log_prior(component: Any, prior: Any) -> float:
    r"""Log density of a conjugate prior at a component: what its fit with a prior maximises.

    In the parameters whose joint mode the fit returns: mean and variance, not mean and precision.

    Examples
    --------
    >>> round(log_prior(Normal([0.0], [1.0]), NormalInverseGamma([0.0], [1.0], [1.0], [1.0])), 6)
    -1.918939
    """
    if prior is None:
        return 0.0
    if isinstance(component, Product):
        return sum(log_prior(c, p) for c, p in zip(component.parts, prior, strict=True))
    return float(np.sum(_density(component, prior)))


def is_bounded(prior: Any) -> bool:
    """Whether the density of a prior is known and has no pole that a fit could run into."""
    if prior is None:
        return True
    if isinstance(prior, DirichletCategorical):
        return bool(np.all(prior.concentration >= 1))
    if isinstance(prior, BetaBernoulli):
        return bool(np.all(prior.a >= 1) and np.all(prior.b >= 1))
    if isinstance(prior, GammaExponential | GammaPoisson):
        return bool(np.all(prior.concentration >= 1))
    if isinstance(prior, list | tuple):
        return all(map(is_bounded, prior))
    return isinstance(prior, _KNOWN)


def supported(component: Any, prior: Any) -> Any:
    """The component that the prior allows: one of a known variance takes that.

    Examples
    --------
    >>> supported(Normal([1.0], [3.0]), NormalMean([0.0], [1.0], noise=[2.0]))
    Normal(mean=[1.], std=[2.])
    """
    if isinstance(component, Product) and prior is not None:
        pairs = zip(component.parts, prior, strict=True)
        return Product([supported(c, p) for c, p in pairs], component.columns)
    if isinstance(prior, NormalMean):
        return Normal(component.mean, np.broadcast_to(prior.noise, np.shape(component.mean)))
    if isinstance(prior, VectorMean):
        return MultivariateNormal(component.mean, prior.noise)
    return component


def checked_prior(owner: object, component: Distribution, prior: Any) -> None:
    """Refuse a prior that gives a component no density."""
    if isinstance(component, Product) and prior is not None:
        for part, own in zip(component.parts, prior, strict=True):
            checked_prior(owner, part, own)
        return
    if not isinstance(prior, _KNOWN):
        return
    need = f"a conjugate prior of {type(component).__name__} with its shape"
    diagonal = isinstance(component, MultivariateNormal) and isinstance(prior, NormalInverseGamma)
    try:
        if not diagonal and not isinstance(prior, conjugate_beliefs(type(component))):
            raise TypeError(f"no belief about {type(component).__name__}")
        value = log_prior(component, prior) if is_bounded(prior) else 0.0
    except (AttributeError, TypeError, ValueError) as error:
        raise check.fail(owner, "priors", need, prior) from error
    if not np.isfinite(value):
        need = "priors under which the components to start from are possible"
        raise check.fail(owner, "priors", need, prior)


def _density(component: Any, prior: Any) -> Any:
    if isinstance(prior, NormalInverseGamma):
        var = np.asarray(component.var)
        spread = InverseGamma(prior.shape, prior.scale).log_prob(var)
        return spread + Normal(prior.mean, np.sqrt(var / prior.strength)).log_prob(component.mean)
    if isinstance(prior, NormalInverseWishart):
        covariance = np.asarray(component.covariance)
        spread = InverseWishart(prior.df, prior.scale).log_prob(covariance)
        return spread + MultivariateNormal(prior.mean, covariance / prior.strength).log_prob(
            component.mean
        )
    if isinstance(prior, NormalMean | VectorMean):
        belief: Any = prior.distribution
        return belief.log_prob(component.mean)
    return prior.distribution.log_prob(_parameter(component, prior))


def _parameter(component: Any, prior: Any) -> Any:
    if isinstance(prior, GammaExponential | GammaPoisson):
        return component.rate
    if isinstance(prior, BetaBernoulli):
        return component.probability
    return component.probabilities
