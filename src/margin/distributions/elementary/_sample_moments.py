"""Moments of samples and of distributions."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import quad

from margin.core import check
from margin.core.types import Floats
from margin.distributions._requirements import numbers
from margin.distributions.statistics._weights import row_weights


@dataclass(frozen=True, eq=False)
class SampleMoments:
    """Mean, variance, skewness and excess kurtosis of every column (distributions.15).

    Parameters
    ----------
    weight, mean, var, skewness, kurtosis : ndarray of shape () or (d,)
        The last two are NaN for a constant column.
    """

    weight: Floats
    mean: Floats
    var: Floats
    skewness: Floats
    kurtosis: Floats

    @property
    def unbiased_var(self) -> Floats:
        """Variance with the divisor n - 1 (distributions.17), when weights are counts."""
        return np.asarray(self.var * self.weight / (self.weight - 1.0))


def sample_moments(X: ArrayLike, weight: ArrayLike | None = None) -> SampleMoments:
    r"""Moments of the columns of a sample; NaN is left out (distributions.15, distributions.17).

    Central moments have the divisor ``n``: the variance is then biased by
    :math:`(n - 1)/n`, which :attr:`SampleMoments.unbiased_var` undoes.

    Parameters
    ----------
    X : array-like of shape (n,) or (n, d)
    weight : array-like of shape (n,), optional

    Examples
    --------
    >>> summary = sample_moments([1.0, 2.0, 3.0, 4.0])
    >>> float(summary.mean), float(summary.var), float(summary.unbiased_var.round(6))
    (2.5, 1.25, 1.666667)
    """
    x = numbers("sample_moments", "X", X)
    w = row_weights("sample_moments", weight, len(x)).reshape((-1,) + (1,) * (x.ndim - 1))
    each = np.where(np.isnan(x), 0.0, w)
    total = np.asarray(each.sum(axis=0))
    if not np.all(total > 0) or np.isinf(x).any():
        raise check.fail("sample_moments", "X", "finite and observed in every column", X)
    filled = np.where(np.isnan(x), 0.0, x)
    mean = np.asarray((each * filled).sum(axis=0) / total)
    away = np.where(np.isnan(x), 0.0, filled - mean)
    mean = mean + (each * away).sum(axis=0) / total
    away = np.where(np.isnan(x), 0.0, filled - mean)
    second, third, fourth = ((each * away**k).sum(axis=0) / total for k in (2, 3, 4))
    safe = np.where(second > 0, second, 1.0)
    return SampleMoments(
        total,
        mean,
        np.asarray(second),
        np.where(second > 0, third / safe**1.5, np.nan),
        np.where(second > 0, fourth / safe**2 - 3.0, np.nan),
    )


def moment(distribution: Any, k: int, *, central: bool = False) -> float:
    r""":math:`E X^k`, or :math:`E (X - EX)^k`, of one continuous number by integration.

    (distributions.15.)

    Examples
    --------
    >>> from margin.distributions import Normal
    >>> round(moment(Normal(0.0, 2.0), 4), 6)
    48.0
    """
    centre = float(distribution.mean) if central else 0.0
    return expected_value(distribution, lambda x: (x - centre) ** k)


def moment_generating_function(distribution: Any, t: float) -> float:
    r""":math:`E e^{tX}` of one continuous number by integration (distributions.15).

    Its ``k``-th derivative at 0 is the ``k``-th moment.

    Examples
    --------
    >>> from margin.distributions import Normal
    >>> round(moment_generating_function(Normal(0.0, 1.0), 1.0), 6)
    1.648721
    """
    return expected_value(distribution, lambda x: float(np.exp(t * x)))


def expected_value(distribution: Any, function: Callable[[float], float]) -> float:
    r""":math:`E f(X)` of one continuous number, by integration between the far quantiles.

    (distributions.15.)
    """
    low, middle, high = (float(distribution.quantile(q)) for q in (1e-15, 0.5, 1 - 1e-15))

    def integrand(x: float) -> float:
        return function(x) * float(np.exp(distribution.log_prob(x)))

    ends = sorted({low, middle, high})
    pieces = [quad(integrand, a, b, limit=400)[0] for a, b in pairwise(ends)]
    return float(sum(pieces))


def conditional_expectation(table: ArrayLike, values: ArrayLike) -> Floats:
    r""":math:`E[X \mid Y = y]` for every column ``y`` of a table of :math:`p(x, y)`.

    (distributions.15.) NaN for a ``y`` that cannot be. Averaged over ``y`` it is :math:`EX`.

    Parameters
    ----------
    table : array-like of shape (m, k)
        Joint probabilities or counts.
    values : array-like of shape (m,)
        Of ``X``, one for each row.

    Examples
    --------
    >>> conditional_expectation([[0.4, 0.1], [0.1, 0.4]], [0.0, 1.0])
    array([0.2, 0.8])
    """
    p, x = numbers("conditional_expectation", "table", table), np.asarray(values, dtype=np.float64)
    if p.ndim != 2 or x.shape != (len(p),):
        need = "of shape (m, k) with m values"
        raise check.fail("conditional_expectation", "table", need, f"shape {p.shape}")
    total = p.sum(axis=0)
    return np.where(total > 0, x @ p / np.where(total > 0, total, 1.0), np.nan)
