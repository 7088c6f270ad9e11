"""Particle filter: the state as a weighted cloud of points."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from margin.core import FitError, check
from margin.core.types import Floats


class ParticleFiltered(NamedTuple):
    """What a cloud of points knows.

    Parameters
    ----------
    log_prob : float
        Estimate of the log-likelihood; the likelihood itself is unbiased.
    mean, var : ndarray of shape (T, n)
        Of the state given the rows so far.
    effective : ndarray of shape (T,)
        How many even points the weights are worth, before resampling.
    particles : ndarray of shape (n_particles, n)
    weights : ndarray of shape (n_particles,)
        Of the last step.
    """

    log_prob: float
    mean: Floats
    var: Floats
    effective: Floats
    particles: Floats
    weights: Floats


def particle_filter(
    start: Callable[[int, np.random.Generator], Floats],
    move: Callable[[Floats, np.random.Generator], Floats],
    log_density: Callable[[Floats, Floats], Floats],
    Y: ArrayLike,
    *,
    n_particles: int = 1000,
    threshold: float = 0.5,
    rng: np.random.Generator | int = 0,
) -> ParticleFiltered:
    r"""Bootstrap filter of any system that can be drawn from (sequence.39).

    .. math:: x_t^{(i)} \sim p(x_t \mid x_{t-1}^{(i)}), \qquad
              w_t^{(i)} \propto w_{t-1}^{(i)}\, p(y_t \mid x_t^{(i)})

    Parameters
    ----------
    start : callable
        ``(n, rng)`` to ``n`` first states, of shape (n, d).
    move : callable
        ``(states, rng)`` to the next states.
    log_density : callable
        ``(row, states)`` to the log density of the row under each; rows that are all NaN are not
        asked for.
    Y : array-like of shape (T,) or (T, m)
    n_particles : int
    threshold : float
        Share of the points below which the effective number leads to systematic resampling.
    rng : numpy.random.Generator or int

    Raises
    ------
    FitError
        No point can have made a row.

    Notes
    -----
    :math:`O(T N)`, with an error of :math:`O(1/\sqrt N)` that grows quickly with the dimension.

    References
    ----------
    Gordon, Salmond and Smith (1993), Novel approach to nonlinear/non-Gaussian Bayesian state
    estimation.

    Examples
    --------
    >>> import numpy as np
    >>> found = particle_filter(
    ...     lambda n, rng: rng.normal(size=(n, 1)),
    ...     lambda x, rng: x + rng.normal(size=x.shape),
    ...     lambda y, x: -0.5 * (y - x[:, 0]) ** 2 - 0.919,
    ...     np.zeros(30), n_particles=2000)
    >>> bool(abs(found.var[-1, 0] - 0.618) < 0.1)
    True
    """
    if n_particles < 1:
        raise check.fail("particle_filter", "n_particles", "at least 1", n_particles)
    if not 0 <= threshold <= 1:
        raise check.fail("particle_filter", "threshold", "a number between 0 and 1", threshold)
    source = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(rng)
    table = np.asarray(Y, dtype=np.float64)
    rows = table[:, None] if table.ndim == 1 else table
    x = np.asarray(start(n_particles, source), dtype=np.float64)
    log_weight, log_prob = np.full(n_particles, -np.log(n_particles)), 0.0
    means, variances = np.empty((len(rows), x.shape[1])), np.empty((len(rows), x.shape[1]))
    effective = np.empty(len(rows))
    for t, row in enumerate(rows):
        if t:
            x = move(x, source)
        if not np.isnan(row).all():
            log_weight = log_weight + log_density(row, x)
            total = float(logsumexp(log_weight))
            if not np.isfinite(total):
                raise FitError(f"particle_filter: no particle can have made row {t}; use more")
            log_prob, log_weight = log_prob + total, log_weight - total
        weight = np.exp(log_weight)
        means[t] = weight @ x
        variances[t] = weight @ (x - means[t]) ** 2
        effective[t] = 1.0 / float(weight @ weight)
        if effective[t] < threshold * n_particles and t + 1 < len(rows):
            x = x[_systematic(weight, source)]
            log_weight = np.full(n_particles, -np.log(n_particles))
    return ParticleFiltered(log_prob, means, variances, effective, x, np.exp(log_weight))


def _systematic(weight: Floats, rng: np.random.Generator) -> np.ndarray:
    """Indices drawn with even spacing: each point as often as its weight says, up to one."""
    n = len(weight)
    places = (np.arange(n) + rng.random()) / n
    return np.minimum(np.searchsorted(np.cumsum(weight), places), n - 1)
