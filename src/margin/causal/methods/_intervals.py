"""Errors and intervals from influence functions: analytic, by multipliers, by fitting again."""

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from scipy.stats import norm

from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._overlap import NoOverlapError
from margin.causal.methods._scores import Method, Scores
from margin.core import check
from margin.core.types import Floats, Indices

_BLOCK = 2_000_000


def confidence(owner: object, level: Any, parameter: str = "level") -> float:
    """The level of an interval as a number, refused outside of (0, 1).

    Examples
    --------
    >>> confidence("AverageEffect", np.float32(0.5))
    0.5
    """
    if not is_between(level, 0.0, 1.0):
        raise check.fail(owner, parameter, "a number between 0 and 1", level)
    return float(level)


def is_between(value: Any, low: float, high: float) -> bool:
    """Whether a value is a number strictly between two others.

    Examples
    --------
    >>> is_between(0.5, 0, 1), is_between("a", 0, 1), is_between(True, 0, 2)
    (True, False, False)
    """
    is_number = isinstance(value, int | float | np.number) and value is not True
    return is_number and bool(low < value < high)


def replicates(owner: object, n_bootstrap: Any) -> int:
    """The number of replicates of a bootstrap; 0 for none."""
    counted = isinstance(n_bootstrap, Integral) and not isinstance(n_bootstrap, bool)
    if not counted or n_bootstrap < 0 or n_bootstrap == 1:
        need = "0, or an integer of at least 2"
        raise check.fail(owner, "n_bootstrap", need, n_bootstrap)
    return int(n_bootstrap)


@dataclass(frozen=True, eq=False)
class Errors:
    """Standard errors and intervals.

    Parameters
    ----------
    std_error : ndarray of shape (m,)
    interval : ndarray of shape (m, 2)
    draws : ndarray of shape (n_bootstrap, m) or None
        Estimates of the bootstrap.
    """

    std_error: Floats
    interval: Floats
    draws: Floats | None = None


def analytic(
    scores: Scores, weight: Floats, level: float, clusters: Indices | None = None
) -> Errors:
    """Normal intervals, with errors that may be common to the rows of a cluster."""
    assert scores.influence is not None
    rows = scores.influence * weight[:, None]
    if clusters is not None:
        n_clusters = int(clusters.max()) + 1
        rows = np.column_stack([np.bincount(clusters, column, n_clusters) for column in rows.T])
        rows *= np.sqrt(n_clusters / max(n_clusters - 1, 1))
    # Of outcomes near the largest number the squares are not numbers any more.
    largest = np.maximum(np.abs(rows).max(axis=0), 1e-300)
    error = largest * np.sqrt(((rows / largest) ** 2).sum(axis=0)) / weight.sum()
    if scores.variance is not None and clusters is None:
        error = np.sqrt(scores.variance)
    reach = norm.ppf(0.5 + level / 2) * error
    return Errors(error, np.column_stack([scores.values - reach, scores.values + reach]))


def multiplied(
    scores: Scores,
    weight: Floats,
    level: float,
    n_bootstrap: int,
    rng: np.random.Generator,
    clusters: Indices | None = None,
) -> Errors:
    r"""Bootstrap by Poisson weights on the influence functions.

    .. math:: \hat\theta^{(b)} = \hat\theta + \frac1n \sum_i w_i (\xi_i^{(b)} - 1) \varphi(z_i)

    One product of matrices for all replicates: nothing is fitted again.
    """
    assert scores.influence is not None
    rows = scores.influence * weight[:, None] / weight.sum()
    if clusters is not None:
        n_clusters = int(clusters.max()) + 1
        rows = np.column_stack([np.bincount(clusters, column, n_clusters) for column in rows.T])
    draws = scores.values + poisson_sums(rows, n_bootstrap, rng)
    return drawn(draws, level)


def poisson_sums(rows: Floats, n_draws: int, rng: np.random.Generator) -> Floats:
    """Sums of the rows, each with its own Poisson weight less one, many times."""
    # Sixteen random bits are enough for a Poisson number: a table turns them into weights.
    cdf = np.cumsum(np.exp(-1.0) / np.cumprod(np.maximum(np.arange(10), 1)))
    table = np.searchsorted(cdf, (np.arange(65536) + 0.5) / 65536).astype(np.float64) - 1.0
    table -= table.mean()
    table = (table / table.std()).astype(np.float32)
    single = rows.astype(np.float32)
    sums = np.empty((n_draws, rows.shape[1]))
    step = max(1, _BLOCK // max(len(rows), 1))
    for start in range(0, n_draws, step):
        size = min(step, n_draws - start)
        bits = rng.integers(0, 65536, (size, len(rows)), dtype=np.uint16)
        sums[start : start + size] = table[bits] @ single
    return sums


def refitted(
    method: Method,
    data: EffectData,
    nuisance: Nuisance,
    level: float,
    n_bootstrap: int,
    rng: np.random.Generator,
) -> Errors:
    """Bootstrap in which everything is fitted again to rows drawn with replacement.

    Draws in which some level is missing where it is needed cannot be estimated and are left out;
    where that befalls every other one, the bootstrap is refused.
    """
    draws = []
    for _ in range(n_bootstrap):
        counts = rng.multinomial(data.n, np.full(data.n, 1 / data.n))
        weight = data.weight * counts
        chosen = np.flatnonzero(weight > 0)
        part = data.rows(chosen).weighted(weight[chosen])
        try:
            draws.append(method.estimate(part, nuisance))
        except NoOverlapError as error:
            failure = error
    if 2 * len(draws) < max(n_bootstrap, 4):
        raise NoOverlapError(
            f"{data.owner}: n_bootstrap must be 0 for rows as few as these: in "
            f"{n_bootstrap - len(draws)} of {n_bootstrap} draws {failure}"
        )
    return drawn(np.array(draws), level)


def drawn(draws: Floats, level: float) -> Errors:
    """Deviation and quantiles of the replicates."""
    tails = np.array([0.5 - level / 2, 0.5 + level / 2])
    return Errors(draws.std(axis=0, ddof=1), np.quantile(draws, tails, axis=0).T, draws)
