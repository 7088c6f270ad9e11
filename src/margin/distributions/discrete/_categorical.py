"""The categorical distribution of a state."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr, rel_entr

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Belief, ExponentialFamily, Univariate
from margin.distributions._parameters import probabilities
from margin.distributions._requirements import Seed, as_statistics, source
from margin.distributions._simplex import simplex
from margin.distributions.statistics._state_counts import StateCounts


@dataclass(frozen=True, eq=False, repr=False)
class Categorical(Univariate, ExponentialFamily):
    r"""One of the states 0, …, K - 1, or an array of independent ones (distributions.05).

    .. math:: p(x) = \theta_x

    Parameters
    ----------
    probabilities : array-like of shape (..., K)
        Of the states; each row sums to one.

    Examples
    --------
    >>> weather = Categorical([0.2, 0.5, 0.3])
    >>> np.exp(weather.log_prob([1, 2, 3])).round(12)
    array([0.5, 0.3, 0. ])
    >>> Categorical.fit([0, 1, 1, 2]).probabilities
    array([0.25, 0.5 , 0.25])
    """

    probabilities: Floats

    def __init__(self, probabilities: ArrayLike) -> None:
        object.__setattr__(self, "probabilities", simplex(self, "probabilities", probabilities))

    @property
    def n_states(self) -> int:
        """Number of states ``K``."""
        return int(self.probabilities.shape[-1])

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of distributions; ``()`` for a single one."""
        return self.probabilities.shape[:-1]

    @property
    def mean(self) -> Floats:
        """Expectation of the code."""
        return np.asarray(self.probabilities @ np.arange(self.n_states, dtype=np.float64))

    @property
    def var(self) -> Floats:
        """Variance of the code."""
        away = np.arange(self.n_states) - self.mean[..., None]
        return np.asarray((self.probabilities * away**2).sum(axis=-1))

    @property
    def mode(self) -> Floats:
        """The most probable state, the first of several."""
        return np.asarray(self.probabilities.argmax(axis=-1), dtype=np.float64)

    @property
    def entropy(self) -> Floats:
        """In nats, with 0 log 0 = 0 (distributions.20)."""
        return np.asarray(entr(self.probabilities).sum(axis=-1))

    def log_prob(self, x: ArrayLike) -> Floats:
        at = np.asarray(x, dtype=np.float64)
        possible = (at >= 0) & (at < self.n_states) & (at == np.floor(at))
        code = np.where(possible, at, 0.0).astype(np.intp)
        with np.errstate(divide="ignore"):
            table = np.log(self.probabilities)
        shape = np.broadcast_shapes(code.shape, self.shape)
        if not self.shape:
            value = table[code]
        else:
            table = np.broadcast_to(table, (*shape, self.n_states))
            code = np.broadcast_to(code, shape)[..., None]
            value = np.take_along_axis(table, code, axis=-1)[..., 0]
        return np.where(np.isnan(at), 0.0, np.where(possible, value, -np.inf))

    def log_prob_rows(self, X: ArrayLike) -> Floats:
        """As of every :class:`Univariate`; states are looked up, not compared."""
        rows = np.asarray(X, dtype=np.float64)
        if rows.ndim != 1 or len(self.shape) != 1:
            return super().log_prob_rows(X)
        possible = (rows >= 0) & (rows < self.n_states) & (rows == np.floor(rows))
        with np.errstate(divide="ignore"):
            table = np.log(self.probabilities).T
        value = table[np.where(possible, rows, 0.0).astype(np.intp)]
        value[~possible] = -np.inf
        value[np.isnan(rows)] = 0.0
        return np.asarray(value)

    def cdf(self, x: ArrayLike) -> Floats:
        at = np.asarray(x, dtype=np.float64)
        below = np.arange(self.n_states) <= at[..., None]
        value = np.asarray((self.probabilities * below).sum(axis=-1))
        value = np.where(at >= self.n_states - 1, 1.0, value)
        return np.where(np.isnan(at), np.nan, value)

    def quantile(self, q: ArrayLike) -> Floats:
        return self._reach(probabilities(self, q, self.shape))

    def sample(self, n: int, rng: Seed) -> Floats:
        return self._reach(source(self, n, rng).random((n, *self.shape)))

    def kl(self, other: "Categorical") -> Floats:
        """Divergence to another over the same states (distributions.21)."""
        if other.n_states != self.n_states:
            raise check.fail(self, "n_states", f"{self.n_states}", other.n_states)
        return np.asarray(rel_entr(self.probabilities, other.probabilities).sum(axis=-1))

    @classmethod
    def statistics(cls, X: ArrayLike, weight: ArrayLike | None = None) -> StateCounts:
        """Weighted counts of the states; NaN is left out."""
        return StateCounts.of(X, weight)

    @classmethod
    def fit(
        cls,
        stats: StateCounts | ArrayLike,
        prior: Belief | None = None,
        *,
        n_states: int | None = None,
    ) -> Self:
        """Shares of the states, or the mode of the posterior with a ``DirichletCategorical``.

        Parameters
        ----------
        stats : StateCounts or array-like
        prior : DirichletCategorical, optional
            Says how many states there are.
        n_states : int, optional
            States of the distribution; as many as were seen by default.
        """
        stats = as_statistics(cls.__name__, StateCounts, stats)
        if prior is not None:
            return cls(prior.posterior(stats).mode)
        if not np.all(stats.weight > 0):
            wanted = "observed in every column, or have a prior"
            raise check.fail(cls.__name__, "data", wanted, "a total weight of 0")
        if n_states is not None and n_states < stats.counts.shape[-1]:
            least = f"at least {stats.counts.shape[-1]}, the states seen"
            raise check.fail(cls.__name__, "n_states", least, n_states)
        counts = stats.padded(n_states or 0)
        return cls(counts / counts.sum(axis=-1, keepdims=True))

    def __getitem__(self, key: Any) -> Self:
        places = np.arange(int(np.prod(self.shape))).reshape(self.shape)[key]
        return type(self)(self.probabilities.reshape(-1, self.n_states)[places])

    def __repr__(self) -> str:
        batch = f", shape={self.shape}" if self.shape else ""
        return f"Categorical({self.n_states} states{batch})"

    def _reach(self, levels: Floats) -> Floats:
        """The least states whose cumulative probabilities reach the levels."""
        total = np.cumsum(self.probabilities, axis=-1)
        # Sums carry rounding errors, which must not skip a state.
        reached = (total >= (levels * (1.0 - 1e-12))[..., None]) & (total > 0)
        return np.asarray(reached.argmax(axis=-1), dtype=np.float64)
