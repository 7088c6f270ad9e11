"""Ways to find the coefficients of an autoregression."""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from margin.core import Sequences
from margin.core.types import Floats
from margin.linalg import cholesky, levinson_durbin, lstsq


@dataclass(frozen=True, eq=False)
class ArEstimate:
    """Coefficients, nearest lag first, and the variance of the innovations.

    Parameters
    ----------
    coef : ndarray of shape (L,)
    intercept, variance : float
    """

    coef: Floats
    intercept: float
    variance: float


def lagged(given: Sequences, order: int, skip: int | None = None) -> tuple[Floats, Floats]:
    """Past values (rows, order), nearest first, and what followed; ``skip`` rows of each left out.

    Examples
    --------
    >>> Z, y = lagged(Sequences([[1.0, 2.0, 3.0, 4.0]]), 2)
    >>> Z, y
    (array([[2., 1.],
           [3., 2.]]), array([3., 4.]))
    """
    skip = order if skip is None else skip
    pasts, nexts = [np.empty((0, order))], [np.empty(0)]
    for part in given:
        v = np.asarray(part, dtype=np.float64).reshape(len(part))
        if len(v) > skip:
            columns = [v[skip - i : len(v) - i] for i in range(1, order + 1)]
            pasts.append(np.column_stack(columns) if order else np.empty((len(v) - skip, 0)))
            nexts.append(v[skip:])
    return np.concatenate(pasts), np.concatenate(nexts)


def least_squares(
    given: Sequences, order: int, *, intercept: bool = True, skip: int | None = None
) -> ArEstimate:
    r"""Least squares given the first numbers of every sequence (sequence.28).

    .. math:: a = \Big(\sum_t \hat v_{t-1} \hat v_{t-1}^\top\Big)^{-1} \sum_t v_t \hat v_{t-1},
              \qquad \sigma^2 = \frac1N \sum_t (v_t - \hat v_{t-1}^\top a)^2

    The matrix is only nearly Toeplitz: the ends of the sequence differ.
    """
    Z, y = lagged(given, order, skip)
    if intercept:
        Z = np.column_stack([Z, np.ones(len(Z))])
    w = lstsq(Z, y) if Z.shape[1] else np.empty(0)
    rest = y - Z @ w
    last = float(w[-1]) if intercept else 0.0
    return ArEstimate(w[:order], last, float(rest @ rest) / len(y))


def autocovariance(given: Sequences, order: int, mean: float) -> Floats:
    r"""Pooled :math:`r_k = \frac1T \sum_t (v_t - \mu)(v_{t-k} - \mu)`, definite by its divisor."""
    r, total = np.zeros(order + 1), 0
    for part in given:
        v = np.asarray(part).reshape(len(part)) - mean
        total += len(v)
        for k in range(min(order, len(v) - 1) + 1):
            r[k] += v[k:] @ v[: len(v) - k]
    return r / total


def yule_walker(given: Sequences, order: int, *, intercept: bool = True) -> ArEstimate:
    """Levinson–Durbin on the autocovariances; always stationary (sequence.28)."""
    mean = float(given.buffer.mean()) if intercept else 0.0
    r = autocovariance(given, order, mean)
    if not r[0] > 0:
        return ArEstimate(np.zeros(order), mean, 0.0)  # the series does not vary
    recursion = levinson_durbin(r, order)
    return ArEstimate(
        recursion.coef, mean * (1.0 - recursion.coef.sum()), float(recursion.errors[-1])
    )


def burg(given: Sequences, order: int, *, intercept: bool = True) -> ArEstimate:
    r"""Burg's reflections, least forward and backward errors; always stationary (sequence.28).

    .. math:: \kappa_m = \frac{2 \sum_t f_t\, b_{t-1}}{\sum_t f_t^2 + b_{t-1}^2}
    """
    mean = float(given.buffer.mean()) if intercept else 0.0
    series = [np.asarray(part).reshape(len(part)) - mean for part in given]
    ahead, behind = [v[1:] for v in series], [v[:-1] for v in series]
    error = float(sum(v @ v for v in series)) / sum(map(len, series))
    coef = np.empty(0)
    for _ in range(order):
        top = 2.0 * sum(float(f @ b) for f, b in zip(ahead, behind, strict=True))
        size = sum(float(f @ f + b @ b) for f, b in zip(ahead, behind, strict=True))
        # Nothing is left where the series is predicted exactly.
        kappa = top / size if size > 0 else 0.0
        coef = np.append(coef - kappa * coef[::-1], kappa)
        error *= (1.0 - kappa) * (1.0 + kappa)
        moved = [
            ((f - kappa * b)[1:], (b - kappa * f)[:-1]) for f, b in zip(ahead, behind, strict=True)
        ]
        ahead, behind = [f for f, _ in moved], [b for _, b in moved]
    return ArEstimate(coef, mean * (1.0 - coef.sum()), error)


@dataclass(frozen=True, eq=False)
class ArPosterior:
    r"""Normal–inverse-gamma belief about coefficients (intercept last) and variance.

    .. math:: w \mid \sigma^2 \sim N(m, \sigma^2 \Lambda^{-1}), \qquad
              \sigma^2 \sim \mathrm{InvGamma}(\alpha, \beta)

    Parameters
    ----------
    mean : ndarray of shape (k,)
    precision : ndarray of shape (k, k)
    shape, rate : float
    log_evidence : float
        Of the data, given the first numbers of every sequence.
    """

    mean: Floats
    precision: Floats
    shape: float
    rate: float
    log_evidence: float

    def draws(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Coefficients (n, k) and variances (n,)."""
        variance = self.rate / rng.gamma(self.shape, size=n)
        factor = cholesky(self.precision, name="precision")
        white = rng.normal(size=(len(self.mean), n))
        shift = factor.half_solve(white, transpose=True).T
        return self.mean + np.sqrt(variance)[:, None] * shift, variance


def bayesian(
    given: Sequences,
    order: int,
    *,
    intercept: bool = True,
    strength: float = 1.0,
    skip: int | None = None,
) -> ArPosterior:
    """Conjugate posterior with a prior N(0, σ²/strength) of the coefficients (sequence.28).

    The variance has the prior InvGamma(1/2, s/2) with s a hundredth of that of the data.
    """
    Z, y = lagged(given, order, skip)
    if intercept:
        Z = np.column_stack([Z, np.ones(len(Z))])
    k = Z.shape[1]
    prior = strength * np.eye(k)
    if intercept:
        prior[-1, -1] = 1e-6 * strength
    spread = float(given.buffer.var())
    alpha, beta = 0.5, 0.005 * (spread if spread > 0 else 1.0)
    precision = prior + Z.T @ Z
    factor = cholesky(precision, name="precision")
    mean = factor.solve(Z.T @ y) if k else np.empty(0)
    shape = alpha + 0.5 * len(y)
    rest = y - Z @ mean
    rate = beta + 0.5 * (float(rest @ rest) + float(mean @ prior @ mean))
    evidence = (
        -0.5 * len(y) * np.log(2 * np.pi)
        + 0.5 * (np.linalg.slogdet(prior)[1] - factor.log_det)
        + alpha * np.log(beta)
        - shape * np.log(rate)
        + gammaln(shape)
        - gammaln(alpha)
    )
    return ArPosterior(mean, precision, shape, rate, float(evidence))
