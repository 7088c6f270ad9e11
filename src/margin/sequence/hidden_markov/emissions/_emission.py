"""What a hidden state shows: the contract, and any family of distributions."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from margin.core import FitError, check, threads
from margin.core.types import Floats, Indices, Places
from margin.distributions import Categorical, StateCounts, Univariate
from margin.inference import k_means, nearest_labels
from margin.native.chains.messages import MOST_STATES, SymbolSums, symbol_sums
from margin.native.chains.moments import symbol_counts

_BLOCK = 8192  # rows that are looked at together
_MOST_SYMBOLS = 10_000_000
_MOST_ROWS = 20_000  # that clusters are looked for in


class Emission(ABC):
    """Laws of what is seen in each state, fitted from rows and shares of the states in them.

    A frozen value of settings; the laws travel as values of their own.
    """

    @abstractmethod
    def checked(self, owner: object, rows: Floats, weight: Floats | None = None) -> Any:
        """Settings completed from the rows of the fit, or a refusal of these rows.

        ``weight`` says how often each row counts.
        """

    @abstractmethod
    def log_prob(self, laws: Any, rows: Floats, n_threads: int) -> Floats:
        """Log density of every row under every law, of shape (T, K); NaN is marginalised."""

    @abstractmethod
    def statistics(self, laws: Any | None, rows: Floats, shares: Floats, n_threads: int) -> Any:
        """Expected statistics, a monoid, of rows that belong to states by ``shares`` (T, K)."""

    @abstractmethod
    def fit(self, stats: Any) -> Any:
        """Laws from statistics."""

    def log_prior(self, laws: Any) -> float:
        """Log density of the laws under a prior, up to a constant."""
        return 0.0

    @abstractmethod
    def members(self, laws: Any) -> Any:
        """The laws as a distribution with a member for each state."""

    @abstractmethod
    def n_parameters(self, laws: Any) -> int:
        """Number of free parameters."""

    def counts_alone(self, rows: Floats, n_states: int) -> bool:
        """Whether :meth:`counted` can stand in for densities, posteriors and statistics."""
        return False

    def counted(
        self,
        laws: Any,
        groups: Places,
        rows: Floats,
        offsets: Indices,
        start: Floats,
        transition: Floats,
        weight: Floats | None,
        n_threads: int,
    ) -> SymbolSums:
        """Expected counts of all sequences in one pass; only where :meth:`counts_alone`."""
        raise TypeError(f"{type(self).__name__} has no counts of its own")

    def random_shares(
        self,
        rows: Floats,
        n_states: int,
        rng: np.random.Generator,
        weight: Floats | None = None,
    ) -> Floats:
        """Noisy shares of shape (T, K): how near each row is to rows drawn at random."""
        points = self.features(rows, weight)
        distinct = np.unique(points, axis=0)
        chosen = rng.choice(len(distinct), n_states, replace=len(distinct) < n_states)
        centres = distinct[chosen] + 1e-3 * rng.standard_normal((n_states, points.shape[1]))
        far = -2 * points @ centres.T + (centres**2).sum(axis=1)
        near = np.exp(-0.5 * (far - far.min(axis=1, keepdims=True)) / points.shape[1])
        share = near / near.sum(axis=1, keepdims=True)
        return np.asarray(0.7 * share + 0.3 * rng.dirichlet(np.ones(n_states), len(rows)))

    def features(self, rows: Floats, weight: Floats | None = None) -> Floats:
        """Rows as points to be clustered for a start; unobserved entries become column means."""
        mean, variance = column_spread(rows, weight)
        spread = np.sqrt(variance)
        filled = np.where(np.isnan(rows), mean, rows)
        return np.asarray((filled - mean) / np.where(spread > 0, spread, 1.0))


@dataclass(frozen=True)
class FamilyEmission(Emission):
    """A family of ``distributions``: any class, or ``ProductFamily``, with statistics and fit.

    Parameters
    ----------
    family : type or ProductFamily
    options : dict
        Keywords of its ``fit``.
    """

    family: Any
    options: dict[str, Any] = field(default_factory=dict)

    def checked(
        self, owner: object, rows: Floats, weight: Floats | None = None
    ) -> "FamilyEmission":
        if not hasattr(self.family, "statistics") or not hasattr(self.family, "fit"):
            wanted = "a family with statistics and fit, such as distributions.Poisson"
            raise check.fail(owner, "emission", wanted, self.family)
        try:
            self.family.statistics(self._given(rows))  # refuses what no member can have made
        except ValueError as error:
            told = str(error).partition(": ")[2] or str(error)
            raise ValueError(f"{check.named(owner)}: {told}") from error
        return self

    def _given(self, rows: Floats) -> Floats:
        plain = isinstance(self.family, type) and issubclass(self.family, Univariate)
        return rows[:, 0] if plain and rows.shape[1] == 1 else rows

    def log_prob(self, laws: Any, rows: Floats, n_threads: int) -> Floats:
        return np.ascontiguousarray(laws.log_prob_rows(self._given(rows)))

    def statistics(self, laws: Any | None, rows: Floats, shares: Floats, n_threads: int) -> Any:
        given = self._given(rows)
        if laws is not None and hasattr(laws, "expected_statistics"):
            return laws.expected_statistics(given, shares)
        return self.family.statistics(given, shares)

    def fit(self, stats: Any) -> Any:
        try:
            return self.family.fit(stats, **self.options)
        except (ValueError, FitError) as error:
            raise FitError(
                f"the laws of the states could not be fitted ({error}); use fewer states, or give "
                "emission_options a prior"
            ) from error

    def members(self, laws: Any) -> Any:
        return laws

    def n_parameters(self, laws: Any) -> int:
        """Numbers that the laws hold, less one for every simplex."""
        if isinstance(laws, Categorical):
            return int(laws.probabilities.size - laws.probabilities[..., 0].size)
        parts = getattr(laws, "parts", None)
        if parts is not None:
            return sum(self.n_parameters(part) for part in parts)
        covariance = getattr(laws, "covariance", None)
        if covariance is not None:
            d = covariance.shape[-1]
            return int(laws.mean.size + covariance[..., 0, 0].size * d * (d + 1) // 2)
        held = (getattr(laws, name) for name in getattr(laws, "__dataclass_fields__", ()))
        return sum(int(np.size(value)) for value in held if isinstance(value, np.ndarray | float))


@dataclass(frozen=True)
class SymbolEmission(FamilyEmission):
    """Symbols 0, 1, … with a table of probabilities, and a Dirichlet prior on its rows.

    Parameters
    ----------
    n_symbols : int or None
        As many as the largest symbol of the fit needs, by default.
    prior : float
        Concentration; 1 is maximum likelihood.
    """

    family: Any = Categorical
    n_symbols: int | None = None
    prior: float = 1.0

    def checked(
        self, owner: object, rows: Floats, weight: Floats | None = None
    ) -> "SymbolEmission":
        seen = rows[~np.isnan(rows)]
        if not np.all((seen >= 0) & (seen == np.floor(seen))):
            bad = float(seen[(seen < 0) | (seen != np.floor(seen))][0])
            raise check.fail(owner, "X", "symbols 0, 1, …, or NaN where unobserved", bad)
        largest = float(seen.max(initial=0))
        if largest >= _MOST_SYMBOLS:
            told = f"symbols below {_MOST_SYMBOLS}: every one has a probability in every state"
            raise check.fail(owner, "X", told, largest)
        least = int(largest) + 1
        if self.n_symbols is not None and self.n_symbols < least:
            raise check.fail(
                owner, "n_symbols", f"at least {least}, the symbols seen", self.n_symbols
            )
        return SymbolEmission(self.family, self.options, self.n_symbols or least, self.prior)

    def statistics(self, laws: Any | None, rows: Floats, shares: Floats, n_threads: int) -> Any:
        assert self.n_symbols is not None
        if rows.shape[1] != 1:
            return super().statistics(laws, rows, shares, n_threads)
        codes, owned = np.ascontiguousarray(rows[:, 0]), np.ascontiguousarray(shares)
        return StateCounts(symbol_counts(codes, owned, self.n_symbols, n_threads))

    def counts_alone(self, rows: Floats, n_states: int) -> bool:
        return rows.shape[1] == 1 and n_states <= MOST_STATES

    def counted(
        self,
        laws: Categorical,
        groups: Places,
        rows: Floats,
        offsets: Indices,
        start: Floats,
        transition: Floats,
        weight: Floats | None,
        n_threads: int,
    ) -> SymbolSums:
        table = np.ascontiguousarray(laws.probabilities[groups].T)
        codes = np.ascontiguousarray(rows[:, 0])
        w = None if weight is None else np.ascontiguousarray(weight, dtype=np.float64)
        return symbol_sums(codes, offsets, start, transition, table, n_threads, weight=w)

    def fit(self, stats: Any) -> Categorical:
        assert self.n_symbols is not None
        counts = stats.padded(self.n_symbols) + (self.prior - 1.0)
        total = counts.sum(axis=-1, keepdims=True)
        even = np.full_like(counts, 1.0 / self.n_symbols)
        return Categorical(np.where(total > 0, counts / np.where(total > 0, total, 1.0), even))

    def log_prior(self, laws: Categorical) -> float:
        if self.prior == 1.0:
            return 0.0
        return float((self.prior - 1.0) * np.log(laws.probabilities).sum())

    def random_shares(
        self,
        rows: Floats,
        n_states: int,
        rng: np.random.Generator,
        weight: Floats | None = None,
    ) -> Floats:
        """A random share for every symbol: far enough from the saddle of equal rows."""
        assert self.n_symbols is not None
        table = rng.dirichlet(np.ones(n_states), self.n_symbols + 1)
        codes = np.where(np.isnan(rows[:, 0]), self.n_symbols, rows[:, 0]).astype(np.intp)
        return np.asarray(table[codes])

    def features(self, rows: Floats, weight: Floats | None = None) -> Floats:
        assert self.n_symbols is not None
        hot = [np.equal(column[:, None], np.arange(self.n_symbols)) for column in rows.T]
        return np.concatenate(hot, axis=1).astype(np.float64)


def column_spread(rows: Floats, weight: Floats | None = None) -> tuple[Floats, Floats]:
    """Mean and variance of the observed entries of every column; 0 where there are none.

    By blocks of rows: no copy of the table is made.

    Examples
    --------
    >>> column_spread(np.array([[1.0, np.nan], [3.0, np.nan]]), np.array([3.0, 1.0]))
    (array([1.5, 0. ]), array([0.75, 0.  ]))
    """
    d = rows.shape[1]
    total, first, second = np.zeros(d), np.zeros(d), np.zeros(d)
    blocks = [slice(at, at + _BLOCK) for at in range(0, len(rows), _BLOCK)]
    for block in blocks:
        part, share = _seen(rows[block], None if weight is None else weight[block])
        total += share.sum(axis=0)
        first += (share * part).sum(axis=0)
    some = np.where(total > 0, total, 1.0)
    mean = first / some
    for block in blocks:
        part, share = _seen(rows[block], None if weight is None else weight[block])
        second += (share * (part - mean) ** 2).sum(axis=0)
    return mean, second / some


def _seen(rows: Floats, weight: Floats | None) -> tuple[Floats, Floats]:
    gaps = np.isnan(rows)
    share = np.where(gaps, 0.0, 1.0 if weight is None else weight[:, None])
    return np.where(gaps, 0.0, rows), share


def clustered(
    points: Floats, n_states: int, rng: np.random.Generator, weight: Floats | None = None
) -> Floats:
    """A cluster for every row as shares of shape (T, K), by k-means on at most 20 000 rows."""
    some, own = points, weight
    if len(points) > _MOST_ROWS:
        chosen = rng.choice(len(points), _MOST_ROWS, replace=False)
        some, own = points[chosen], None if weight is None else weight[chosen]
    distinct = len(np.unique(some, axis=0))
    seed = int(rng.integers(2**31))
    centres, last = k_means(some, min(n_states, distinct), seed, own)
    label = last.label
    if some is not points:
        label = nearest_labels(points, centres, threads.count(None))
    return np.asarray(np.eye(n_states)[label])
