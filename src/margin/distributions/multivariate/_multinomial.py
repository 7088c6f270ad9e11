"""The multinomial distribution of a vector of counts."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, rel_entr, xlogy

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Belief, ExponentialFamily
from margin.distributions._parameters import coordinates, parameter, shown
from margin.distributions._parametric import is_count
from margin.distributions._requirements import Seed, numbers, source
from margin.distributions._simplex import simplex
from margin.distributions.discrete._binomial import Binomial
from margin.distributions.discrete._count_entropy import expected_log_factorial
from margin.distributions.statistics._totals import Totals
from margin.distributions.statistics._weights import member_shares


@dataclass(frozen=True, eq=False, repr=False)
class Multinomial(ExponentialFamily):
    r"""How often each of ``K`` states comes up in ``n`` trials, or an array of such counts.

    .. math:: p(x) = \frac{n!}{\prod_j x_j!} \prod_j \theta_j^{x_j}, \qquad \sum_j x_j = n

    (distributions.05.) One trial is a categorical state, two states are a binomial count. The
    family is closed under marginals, which leave states that are not listed (``rest``), and under
    conditioning, which leaves fewer trials.

    Parameters
    ----------
    n : array-like
        Trials.
    probabilities : array-like of shape (..., K)
        Of the states, of sum 1 less ``rest``.
    rest : array-like
        Probability of the states that are not listed.

    Examples
    --------
    >>> float(np.exp(Multinomial(1, [0.2, 0.5, 0.3]).log_prob([0, 1, 0])).round(12))
    0.5
    >>> Multinomial(4, [0.5, 0.5]).condition([0], [1.0]).n
    array(3.)
    """

    n: Floats
    probabilities: Floats
    rest: Floats

    def __init__(self, n: ArrayLike, probabilities: ArrayLike, *, rest: ArrayLike = 0.0) -> None:
        trials, others = parameter(self, "n", n), parameter(self, "rest", rest)
        if not is_count(trials).all():
            raise check.fail(self, "n", "a count", trials)
        if others.size and others.min() < 0:
            raise check.fail(self, "rest", "at least 0", float(others.min()))
        theta = simplex(self, "probabilities", probabilities, others)
        shape = np.broadcast_shapes(theta.shape[:-1], trials.shape, others.shape)
        for name, value in (
            ("n", np.broadcast_to(trials, shape)),
            ("probabilities", np.broadcast_to(theta, (*shape, theta.shape[-1]))),
            ("rest", np.broadcast_to(others, shape)),
        ):
            object.__setattr__(self, name, value)

    @property
    def dim(self) -> int:
        """Number of listed states ``K``."""
        return int(self.probabilities.shape[-1])

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of distributions; ``()`` for a single one."""
        return self.n.shape

    @property
    def mean(self) -> Floats:
        return self.n[..., None] * self.probabilities

    @property
    def var(self) -> Floats:
        return self.mean * (1.0 - self.probabilities)

    @property
    def covariance(self) -> Floats:
        r""":math:`n(\mathrm{diag}\,\theta - \theta\theta^\top)`."""
        p = self.probabilities
        outer = p[..., :, None] * p[..., None, :]
        return self.n[..., None, None] * (p[..., None] * np.eye(self.dim) - outer)

    @property
    def mode(self) -> Floats:
        """The most probable counts; of equally probable ones those with more of earlier states."""
        chances = self._all_states()
        counts = np.floor(self.n[..., None] * chances)
        # No count of the mode is less than this; the trials left go where they cost least.
        for _ in range(chances.shape[-1]):
            best = np.argmax(chances / (counts + 1.0), axis=-1)[..., None]
            left = counts.sum(axis=-1, keepdims=True) < self.n[..., None]
            more = np.take_along_axis(counts, best, axis=-1) + left
            np.put_along_axis(counts, best, more, axis=-1)
        return counts[..., : self.dim]

    @property
    def entropy(self) -> Floats:
        r"""In nats (distributions.20).

        :math:`\sum_j E\log x_j! - \log n! - n \sum_j \theta_j \log\theta_j`, where every
        count is binomial by itself.
        """
        chances = self._all_states()
        each = expected_log_factorial(Binomial(self.n[..., None], np.clip(chances, 0.0, 1.0)))
        certain = self.n * xlogy(chances, chances).sum(axis=-1)
        return np.asarray(each.sum(axis=-1) - gammaln(self.n + 1.0) - certain)

    def log_prob(self, x: ArrayLike) -> Floats:
        """Log probability of vectors of counts; NaN is marginalised exactly."""
        at = numbers(self, "x", x)
        if at.shape[-1:] != (self.dim,):
            raise check.fail(self, "x", f"of shape (..., {self.dim})", f"shape {at.shape}")
        gap = np.isnan(at)
        counts = np.where(gap, 0.0, at)
        possible = is_count(counts).all(axis=-1)
        counts = np.where(is_count(counts), counts, 0.0)
        others = self.n - counts.sum(axis=-1)
        possible = possible & (others >= 0)
        chance = self.rest + np.where(gap, self.probabilities, 0.0).sum(axis=-1)
        left = np.maximum(others, 0.0)
        value = gammaln(self.n + 1.0) - gammaln(left + 1.0) - gammaln(counts + 1.0).sum(axis=-1)
        with np.errstate(divide="ignore"):
            value = value + xlogy(counts, self.probabilities).sum(axis=-1) + xlogy(left, chance)
        return np.where(possible, value, -np.inf)

    def marginals(self) -> Binomial:
        """The count of each state by itself."""
        return Binomial(self.n[..., None], np.clip(self.probabilities, 0.0, 1.0))

    def cdf(self, x: ArrayLike) -> Floats:
        """Probability that a count is at most ``x``, for each state by itself."""
        return self.marginals().cdf(x)

    def quantile(self, q: ArrayLike) -> Floats:
        """Quantiles of each count by itself; the axes of ``q`` come first."""
        return self.marginals().quantile(q)

    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` vectors of counts from each distribution, along a new first axis."""
        generator = source(self, n, rng)
        size = (n, *self.shape)
        counts = np.zeros((*size, self.dim))
        left, chance = np.broadcast_to(self.n, size).astype(np.int64), np.ones(self.shape)
        for j in range(self.dim):
            share = np.clip(
                self.probabilities[..., j] / np.where(chance > 0, chance, 1.0), 0.0, 1.0
            )
            last = (j == self.dim - 1) & (self.rest == 0)
            drawn = generator.binomial(left, np.where(last, 1.0, share))
            counts[..., j] = drawn
            left = left - drawn
            chance = np.maximum(chance - self.probabilities[..., j], 0.0)
        return counts

    def marginal(self, idx: Any) -> Self:
        """Joint distribution of the counts at ``idx``, the others becoming the rest."""
        kept = coordinates(self, idx, self.dim)
        chosen = self.probabilities[..., kept]
        if len(kept) == self.dim:
            return type(self)(self.n, chosen, rest=self.rest)
        return type(self)(self.n, chosen, rest=np.maximum(1.0 - chosen.sum(axis=-1), 0.0))

    def condition(self, idx: Any, values: ArrayLike) -> Self:
        """Distribution of the other counts given those at ``idx``: the trials that are left."""
        seen = coordinates(self, idx, self.dim)
        given = np.asarray(values, dtype=np.float64)
        given = given[..., None] if isinstance(idx, int | np.integer) else given
        if given.shape[-1:] != seen.shape or not is_count(given).all():
            raise check.fail(self, "values", f"counts of shape (..., {len(seen)})", values)
        trials = self.n - given.sum(axis=-1)
        left = np.setdiff1d(np.arange(self.dim), seen)
        chance = self.probabilities[..., left].sum(axis=-1) + self.rest
        if np.any(trials < 0) or np.any((chance <= 0) & (trials > 0)):
            raise check.fail(self, "values", "possible counts", values)
        safe = np.where(chance > 0, chance, 1.0)
        share = np.where(
            (chance > 0)[..., None], self.probabilities[..., left] / safe[..., None], 1 / len(left)
        )
        rest = np.where(chance > 0, self.rest / safe, 0.0)
        return type(self)(trials, share, rest=rest)

    def kl(self, other: "Multinomial") -> Floats:
        """Divergence to another with as many trials and the same states (distributions.21)."""
        if other.dim != self.dim or not np.all(self.n == other.n):
            raise check.fail(self, "n", "the same for both, and the states", other)
        value = rel_entr(self.probabilities, other.probabilities).sum(axis=-1)
        return np.asarray(self.n * (value + rel_entr(self.rest, other.rest)))

    @classmethod
    def statistics(cls, X: ArrayLike, weight: ArrayLike | None = None) -> Totals:
        """Sums of the counts of complete rows, and of their log coefficients, which come last.

        Rows with NaN have no statistics of their own: :meth:`expected_statistics` completes them.
        """
        rows = numbers(cls.__name__, "X", X)
        if rows.ndim != 2 or not is_count(rows).all():
            raise check.fail(cls.__name__, "X", "rows of counts", f"shape {rows.shape}")
        choices = gammaln(rows.sum(axis=1) + 1.0) - gammaln(rows + 1.0).sum(axis=1)
        return Totals.of(np.column_stack([rows, choices]), weight)

    def expected_statistics(self, X: ArrayLike, weight: ArrayLike | None = None) -> Totals:
        """Expected statistics of rows with NaN: the trials left are shared out by probability.

        Their log coefficients are those of the filled rows, which no fit uses.
        """
        rows = numbers(self, "X", X)
        if self.shape:
            shares = member_shares(self, len(rows), weight)
            each = [self[j].expected_statistics(rows, w) for j, w in enumerate(shares.T)]
            return Totals.stack(each)
        gap = np.isnan(rows)
        left = self.n - np.where(gap, 0.0, rows).sum(axis=1, keepdims=True)
        chance = np.where(gap, self.probabilities, 0.0)
        total = chance.sum(axis=1, keepdims=True) + self.rest
        filled = np.where(gap, left * chance / np.where(total > 0, total, 1.0), rows)
        choices = gammaln(filled.sum(axis=1) + 1.0) - gammaln(filled + 1.0).sum(axis=1)
        return Totals.of(np.column_stack([filled, choices]), weight)

    @classmethod
    def fit(
        cls, stats: Totals | ArrayLike, prior: Belief | None = None, *, n: ArrayLike = 1
    ) -> Self:
        """Shares of the states, or the mode of the posterior with a ``DirichletCategorical``.

        Parameters
        ----------
        stats : Totals or array-like
            From :meth:`statistics`, or rows of counts.
        prior : DirichletCategorical, optional
        n : array-like
            Trials of the distribution returned.
        """
        stats = stats if isinstance(stats, Totals) else cls.statistics(stats)
        if prior is not None:
            return cls(n, prior.posterior(stats).mode)
        counts = stats.total[..., :-1]
        if not np.all(counts.sum(axis=-1) > 0):
            raise check.fail(cls.__name__, "data", "of some count, or have a prior", "none")
        return cls(n, counts / counts.sum(axis=-1, keepdims=True))

    def __getitem__(self, key: Any) -> Self:
        if not self.shape:
            raise TypeError(f"{type(self).__name__}: a single distribution has no members")
        return type(self)(self.n[key], self.probabilities[key], rest=self.rest[key])

    def _all_states(self) -> Floats:
        """Probabilities with what is not listed as one more state, where there is any."""
        if not self.rest.any():
            return self.probabilities
        return np.concatenate([self.probabilities, self.rest[..., None]], axis=-1)

    def __repr__(self) -> str:
        batch = f", shape={self.shape}" if self.shape else ""
        return f"Multinomial(n={shown(self.n)}, {self.dim} states{batch})"
