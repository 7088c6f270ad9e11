"""Members of families with given mean and variance."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions._requirements import numbers
from margin.distributions.continuous._beta import Beta
from margin.distributions.continuous._exponential import Exponential
from margin.distributions.continuous._gamma import Gamma
from margin.distributions.continuous._inverse_gamma import InverseGamma
from margin.distributions.continuous._laplace import Laplace
from margin.distributions.continuous._normal import Normal
from margin.distributions.continuous._uniform import Uniform
from margin.distributions.discrete._bernoulli import Bernoulli
from margin.distributions.discrete._negative_binomial import NegativeBinomial
from margin.distributions.discrete._poisson import Poisson
from margin.distributions.elementary._sample_moments import sample_moments


def _gamma(m: Floats, v: Floats) -> Gamma:
    return Gamma(m**2 / v, m / v)


def _inverse_gamma(m: Floats, v: Floats) -> InverseGamma:
    shape = 2.0 + m**2 / v
    return InverseGamma(shape, m * (shape - 1.0))


def _beta(m: Floats, v: Floats) -> Beta:
    strength = m * (1.0 - m) / v - 1.0
    return Beta(m * strength, (1.0 - m) * strength)


def _negative_binomial(m: Floats, v: Floats) -> NegativeBinomial:
    rate = m / (v - m)
    return NegativeBinomial(m * rate, rate)


OfMoments: TypeAlias = Callable[[Floats, Floats], Any]

_MATCHES: dict[type, tuple[OfMoments, OfMoments, str]] = {
    Normal: (lambda m, v: Normal(m, np.sqrt(v)), lambda m, v: v > 0, "var above 0"),
    Laplace: (lambda m, v: Laplace(m, np.sqrt(v / 2)), lambda m, v: v > 0, "var above 0"),
    Uniform: (
        lambda m, v: Uniform(m - np.sqrt(3 * v), m + np.sqrt(3 * v)),
        lambda m, v: v > 0,
        "var above 0",
    ),
    Gamma: (_gamma, lambda m, v: (m > 0) & (v > 0), "mean and var above 0"),
    InverseGamma: (_inverse_gamma, lambda m, v: (m > 0) & (v > 0), "mean and var above 0"),
    Beta: (_beta, lambda m, v: (m > 0) & (v > 0) & (v < m * (1 - m)), "var below mean (1 - mean)"),
    NegativeBinomial: (_negative_binomial, lambda m, v: (m > 0) & (v > m), "var above the mean"),
    Exponential: (lambda m, v: Exponential(1.0 / m), lambda m, v: m > 0, "mean above 0"),
    Poisson: (lambda m, v: Poisson(m), lambda m, v: m >= 0, "mean of at least 0"),
    Bernoulli: (lambda m, v: Bernoulli(m), lambda m, v: (m >= 0) & (m <= 1), "mean from 0 to 1"),
}


def match_moments(family: Any, mean: ArrayLike, var: ArrayLike | None = None) -> Any:
    """Member of a family with a given mean, and variance where it has one to choose.

    (distributions.29.)

    Parameters
    ----------
    family : type
        Normal, Laplace, Uniform, Gamma, InverseGamma, Beta, NegativeBinomial; or, by the mean
        alone, Exponential, Poisson, Bernoulli.
    mean, var : array-like

    Examples
    --------
    >>> match_moments(Gamma, mean=2.0, var=0.5)
    Gamma(concentration=8., rate=4.)
    >>> match_moments(Beta, mean=0.25, var=0.0375)
    Beta(a=1., b=3.)
    """
    if family not in _MATCHES:
        names = ", ".join(sorted(key.__name__ for key in _MATCHES))
        raise check.fail("match_moments", "family", f"one of {names}", family)
    make, possible, need = _MATCHES[family]
    m = numbers("match_moments", "mean", mean)
    v = numbers("match_moments", "var", np.full(m.shape, np.nan) if var is None else var)
    if not np.all(possible(m, v)):
        raise check.fail("match_moments", f"moments of {family.__name__}", need, (mean, var))
    return make(m, v)


def fit_moments(family: Any, X: ArrayLike, weight: ArrayLike | None = None) -> Any:
    """Member of a family with the moments of the columns of a sample (distributions.29).

    As :func:`match_moments`; NaN is left out. Cheaper than maximum likelihood, and less exact but
    for families of which mean and variance are the statistics.

    Examples
    --------
    >>> fit_moments(Uniform, [0.0, 1.0, 2.0]).high.round(6)
    np.float64(2.414214)
    """
    moments = sample_moments(X, weight)
    return match_moments(family, moments.mean, moments.var)
