"""Maximum likelihood for any family, and what it is the nearest to."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize

from margin.core import FitError, check
from margin.core.types import Floats
from margin.distributions._requirements import numbers
from margin.distributions.information._fisher import scores
from margin.distributions.statistics._weights import row_weights


class LikelihoodFit(NamedTuple):
    """Most likely parameters, the distribution there, and the log-likelihood."""

    theta: Floats
    distribution: Any
    log_likelihood: float


def maximum_likelihood(
    make: Callable[[Floats], Any],
    start: ArrayLike,
    X: ArrayLike,
    weight: ArrayLike | None = None,
    *,
    log_prior: Callable[[Floats], float] | None = None,
) -> LikelihoodFit:
    r"""Maximise :math:`\sum_i w_i \log p(x_i; \theta)` for any family (distributions.23).

    The general recipe; families with statistics have a ``fit`` of their own, which is exact. With
    the logarithm of a prior the answer is the most probable parameter instead (distributions.26);
    it is added once, not for every row.

    Parameters
    ----------
    make : callable
        The distribution with parameters ``theta``, which should be free to take any value: a
        width as the exponential of a parameter, say.
    start : array-like of shape (p,)
        Where to begin.
    X : array-like of shape (n, ...)
        Rows; NaN is marginalised.
    weight : array-like of shape (n,), optional
    log_prior : callable, optional

    Raises
    ------
    FitError
        If no maximum was found.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.distributions import Normal
    >>> x = [1.0, 2.0, 3.0, 4.0]
    >>> fit = maximum_likelihood(lambda t: Normal(t[0], np.exp(t[1])), [0.0, 0.0], x)
    >>> fit.distribution.mean.round(5), fit.distribution.var.round(5)
    (np.float64(2.5), np.float64(1.25))
    """
    owner = "maximum_likelihood"
    rows = numbers(owner, "X", X)
    w = row_weights(owner, weight, len(rows))
    at = np.atleast_1d(np.asarray(start, dtype=np.float64))
    if not w.sum() > 0:
        raise check.fail(owner, "weight", "above 0 for some row", float(w.sum()))
    total = float(w.sum())

    def objective(theta: Floats) -> float:
        value = float(w @ make(theta).log_prob_rows(rows))
        value += log_prior(theta) if log_prior is not None else 0.0
        return -value / total

    def slope(theta: Floats) -> Floats:
        value = w @ scores(make, theta, rows)
        if log_prior is not None:
            step = 1e-6 * np.maximum(1.0, np.abs(theta))
            for j, h in enumerate(step):
                bump = np.eye(len(theta))[j] * h
                value[j] += (log_prior(theta + bump) - log_prior(theta - bump)) / (2 * h)
        return np.asarray(-value / total)

    search = minimize(objective, at, jac=slope, method="BFGS", options={"gtol": 1e-9})
    if not np.isfinite(search.fun) or np.abs(slope(search.x)).max() > 1e-4:
        raise FitError(f"{owner}: the search must end at a maximum, got {search.message}")
    best = make(search.x)
    return LikelihoodFit(search.x, best, float(w @ best.log_prob_rows(rows)))


class LikelihoodAccount(NamedTuple):
    """Scaled log-likelihood, entropy of the data, and divergence from the model."""

    scaled_log_likelihood: float
    entropy: float
    divergence: float


def likelihood_as_divergence(
    distribution: Any, x: ArrayLike, weight: ArrayLike | None = None
) -> LikelihoodAccount:
    r"""Likelihood of discrete data as nearness to their shares (distributions.25).

    With the shares :math:`\hat q` of the values, :math:`\mathrm{KL}(\hat q, p) + \tfrac1n \log L =
    -H(\hat q)`: the most likely model is the one nearest to the data, also when none is true.

    Parameters
    ----------
    distribution : discrete distribution
    x : array-like of shape (n,) or (n, d)
        Observed values.
    weight : array-like of shape (n,), optional

    Examples
    --------
    >>> from margin.distributions import Bernoulli
    >>> account = likelihood_as_divergence(Bernoulli(0.5), [1, 1, 1, 0])
    >>> [round(v, 6) for v in account]
    [-0.693147, 0.562335, 0.130812]
    """
    owner = "likelihood_as_divergence"
    rows = numbers(owner, "x", x)
    if np.isnan(rows).any() or not len(rows):
        raise check.fail(owner, "x", "observed values, at least one", x)
    w = row_weights(owner, weight, len(rows))
    values, place = np.unique(rows, axis=0, return_inverse=True)
    share = np.bincount(place.ravel(), w, minlength=len(values)) / w.sum()
    seen = share > 0
    log_p = np.asarray(distribution.log_prob_rows(values))[seen]
    scaled = float(share[seen] @ log_p)
    entropy = float(-share[seen] @ np.log(share[seen]))
    return LikelihoodAccount(scaled, entropy, -entropy - scaled)
