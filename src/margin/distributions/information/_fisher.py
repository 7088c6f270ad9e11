"""Fisher information, by the variance of scores or by curvature."""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import quad_vec

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Univariate
from margin.distributions._requirements import Seed
from margin.linalg import cholesky

_SCORE_STEP = 1e-4
_CURVATURE_STEP = 2e-3


def scores(make: Callable[[Floats], Any], theta: ArrayLike, X: ArrayLike) -> Floats:
    r"""Gradients :math:`\nabla_\theta \log p(x_i; \theta)` of every row, of shape (n, p).

    Parameters
    ----------
    make : callable
        The distribution with parameters ``theta``.
    theta : array-like of shape (p,)
    X : array-like of shape (n, ...)

    Notes
    -----
    Central differences of fourth order: four evaluations for each parameter.

    Examples
    --------
    >>> from margin.distributions import Normal
    >>> scores(lambda t: Normal(t[0], 1.0), [2.0], [3.0, 1.0]).round(6)
    array([[ 1.],
           [-1.]])
    """
    at = np.atleast_1d(np.asarray(theta, dtype=np.float64))
    columns = []
    for step in np.eye(len(at)) * _SCORE_STEP * np.maximum(1.0, np.abs(at)):
        near = make(at + step).log_prob_rows(X) - make(at - step).log_prob_rows(X)
        far = make(at + 2 * step).log_prob_rows(X) - make(at - 2 * step).log_prob_rows(X)
        columns.append((8 * near - far) / (12 * step.sum()))
    return np.stack(columns, axis=-1)


def curvatures(make: Callable[[Floats], Any], theta: ArrayLike, X: ArrayLike) -> Floats:
    r"""Second derivatives :math:`\nabla^2_\theta \log p(x_i; \theta)`, of shape (n, p, p)."""
    at = np.atleast_1d(np.asarray(theta, dtype=np.float64))
    p = len(at)
    steps = np.eye(p) * _CURVATURE_STEP * np.maximum(1.0, np.abs(at))

    def mixed(a: Floats, b: Floats) -> Floats:
        value = make(at + a + b).log_prob_rows(X) - make(at + a - b).log_prob_rows(X)
        value = value - make(at - a + b).log_prob_rows(X) + make(at - a - b).log_prob_rows(X)
        return np.asarray(value / (4 * a.sum() * b.sum()))

    rows = []
    for i in range(p):
        # Richardson: the error of fourth order is left.
        rows.append([(4 * mixed(steps[i] / 2, s / 2) - mixed(steps[i], s)) / 3 for s in steps])
    return np.moveaxis(np.array(rows), -1, 0)


def fisher_information(
    make: Callable[[Floats], Any],
    theta: ArrayLike,
    *,
    form: Literal["score", "curvature"] = "score",
    support: ArrayLike | None = None,
    n: int = 100_000,
    rng: Seed = 0,
) -> Floats:
    r"""Information of one observation about the parameters (distributions.39).

    .. math:: I(\theta) = E\big[\nabla\log p\,\nabla\log p^\top\big]
              = -E\big[\nabla^2 \log p\big]

    Both forms agree where the model is true and smooth.

    Parameters
    ----------
    make : callable
        The distribution with parameters ``theta``.
    theta : array-like of shape (p,)
    form : {"score", "curvature"}
        Variance of the scores, or minus the expected curvature.
    support : array-like, optional
        All values of a discrete distribution, over which the expectation is then summed.
    n : int
        Draws for the expectation over vectors; one continuous number is integrated instead.
    rng : numpy.random.Generator or int

    Returns
    -------
    ndarray of shape (p, p)

    Examples
    --------
    >>> from margin.distributions import Bernoulli
    >>> fisher_information(lambda t: Bernoulli(t[0]), [0.2], support=[0.0, 1.0]).round(6)
    array([[6.25]])
    """
    if form not in ("score", "curvature"):
        raise check.fail("fisher_information", "form", "one of 'score', 'curvature'", form)
    at = np.atleast_1d(np.asarray(theta, dtype=np.float64))
    law = make(at)

    def of_rows(x: Floats) -> Floats:
        if form == "score":
            slope = scores(make, at, x)
            return slope[:, :, None] * slope[:, None, :]
        return -curvatures(make, at, x)

    if support is not None:
        values = np.asarray(support, dtype=np.float64)
        return np.asarray(np.tensordot(np.exp(law.log_prob_rows(values)), of_rows(values), 1))
    if isinstance(law, Univariate) and not law.shape:
        return _integral(law, of_rows)
    return np.asarray(of_rows(law.sample(n, rng)).mean(axis=0))


def cramer_rao(information: ArrayLike, n: int = 1) -> Floats:
    r"""Least covariance :math:`I(\theta)^{-1}/n` of an unbiased estimate (distributions.39).

    Parameters
    ----------
    information : array-like of shape (p, p)
        Of one observation.
    n : int
        Observations.

    Examples
    --------
    >>> cramer_rao([[1.0]], n=10)
    array([[0.1]])
    """
    matrix = np.atleast_2d(np.asarray(information, dtype=np.float64))
    if n < 1:
        raise check.fail("cramer_rao", "n", "an integer of at least 1", n)
    return cholesky(matrix, name="information", max_jitter=0.0).solve(np.eye(len(matrix))) / n


def _integral(law: Any, of_rows: Callable[[Floats], Floats]) -> Floats:
    """Expectation over the line, mapped to an interval around the median."""
    middle = float(law.quantile(0.5))
    width = float(law.quantile(0.75) - law.quantile(0.25))
    low, high = (float(law.quantile(q)) for q in (0.0, 1.0))

    def integrand(angle: float) -> Floats:
        x = middle + width * np.tan(angle)
        density = float(np.exp(law.log_prob(x)))
        if density < 1e-250:
            return np.zeros(size)
        return np.asarray(of_rows(np.array([x]))[0] * (density * width / np.cos(angle) ** 2))

    size = of_rows(np.array([middle])).shape[1:]
    ends = [np.arctan((edge - middle) / width) for edge in (low, high)]
    return np.asarray(quad_vec(integrand, *ends, epsrel=1e-8, epsabs=1e-10)[0])
