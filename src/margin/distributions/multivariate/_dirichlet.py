"""The Dirichlet distribution of proportions."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import digamma, gammaln, xlogy

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Belief, ExponentialFamily
from margin.distributions._parameters import coordinates, parameter, shown
from margin.distributions._requirements import Seed, numbers, source
from margin.distributions.continuous._beta import Beta
from margin.distributions.continuous._concentration import concentrations
from margin.distributions.statistics._totals import Totals
from margin.distributions.statistics._weights import member_shares

_TOL = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class Dirichlet(ExponentialFamily):
    r"""Proportions of ``K`` parts, or an array of them (distributions.11).

    .. math:: p(x) = \frac{\Gamma(\sum_j \alpha_j)}{\prod_j \Gamma(\alpha_j)}
              \prod_j x_j^{\alpha_j - 1}, \qquad x_j > 0, \quad \sum_j x_j = 1

    The family is closed under marginals, which leave room for parts that are not listed (``rest``),
    and under conditioning, which leaves less than one to share out (``mass``).

    Parameters
    ----------
    concentration : array-like of shape (..., K)
        :math:`\alpha_j > 0`.
    rest : array-like
        Concentration of what is not listed; 0 where the listed parts are all.
    mass : array-like
        What all parts together come to.

    Examples
    --------
    >>> belief = Dirichlet([2.0, 2.0, 2.0])
    >>> float(np.exp(belief.log_prob([1 / 3, 1 / 3, 1 / 3])).round(7))
    4.4444444
    >>> Dirichlet([20.0, 2.0, 2.0]).mode * 21
    array([19.,  1.,  1.])
    """

    concentration: Floats
    rest: Floats
    mass: Floats

    def __init__(
        self, concentration: ArrayLike, *, rest: ArrayLike = 0.0, mass: ArrayLike = 1.0
    ) -> None:
        alpha = parameter(self, "concentration", concentration, positive=True)
        if alpha.ndim == 0 or alpha.shape[-1] == 0:
            raise check.fail(self, "concentration", "of shape (..., K)", f"shape {alpha.shape}")
        left = parameter(self, "rest", rest)
        if left.size and left.min() < 0:
            raise check.fail(self, "rest", "at least 0", float(left.min()))
        whole = parameter(self, "mass", mass, positive=True)
        shape = np.broadcast_shapes(alpha.shape[:-1], whole.shape, left.shape)
        for name, value in (
            ("concentration", np.broadcast_to(alpha, (*shape, alpha.shape[-1]))),
            ("rest", np.broadcast_to(left, shape)),
            ("mass", np.broadcast_to(whole, shape)),
        ):
            object.__setattr__(self, name, value)

    @property
    def dim(self) -> int:
        """Number of listed parts ``K``."""
        return int(self.concentration.shape[-1])

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of distributions; ``()`` for a single one."""
        return self.concentration.shape[:-1]

    @property
    def total(self) -> Floats:
        """Sum of all concentrations."""
        return np.asarray(self.concentration.sum(axis=-1) + self.rest)

    @property
    def mean(self) -> Floats:
        return self.concentration * (self.mass / self.total)[..., None]

    @property
    def var(self) -> Floats:
        share = self.concentration / self.total[..., None]
        return share * (1 - share) * (self.mass**2 / (self.total + 1.0))[..., None]

    @property
    def mode(self) -> Floats:
        r""":math:`(\alpha_j - 1)/(\sum\alpha - K)`; NaN unless all concentrations are above 1."""
        parts = self.dim + (self.rest > 0)
        inside = (self.concentration > 1).all(axis=-1) & ((self.rest == 0) | (self.rest > 1))
        below = np.where(inside, self.total - parts, 1.0)
        value = (self.concentration - 1.0) * (self.mass / below)[..., None]
        return np.where(inside[..., None], value, np.nan)

    @property
    def expected_log(self) -> Floats:
        r""":math:`E\log x_j = \psi(\alpha_j) - \psi(\sum\alpha)`, plus the log of the mass."""
        return np.asarray(
            digamma(self.concentration) + (np.log(self.mass) - digamma(self.total))[..., None]
        )

    @property
    def entropy(self) -> Floats:
        """In nats, with respect to all listed parts but one (all, where there is a rest)."""
        a, total = self.concentration, self.total
        safe = np.where(self.rest > 0, self.rest, 1.0)
        value = gammaln(a).sum(axis=-1) - gammaln(total) + gammaln(safe)
        value = value - ((a - 1.0) * digamma(a)).sum(axis=-1) - (safe - 1.0) * digamma(safe)
        parts = self.dim + (self.rest > 0)
        value = value + (total - parts) * digamma(total)
        return np.asarray(value + (parts - 1.0) * np.log(self.mass))

    def log_prob(self, x: ArrayLike) -> Floats:
        """Log density with respect to all parts but one; NaN is marginalised exactly."""
        at = self._vectors(x) / self.mass[..., None]
        gap = np.isnan(at)
        alpha = np.broadcast_to(self.concentration, at.shape)
        others = self.rest + np.where(gap, alpha, 0.0).sum(axis=-1)
        left = 1.0 - np.where(gap, 0.0, at).sum(axis=-1)
        open_ = others > 0
        possible = (np.where(gap, 0.5, at) >= 0).all(axis=-1)
        possible &= np.where(open_, left > -_TOL, np.abs(left) <= _TOL)
        safe = np.where(gap | (at < 0), 1.0, at)
        with np.errstate(divide="ignore"):
            value = np.where(gap, 0.0, xlogy(alpha - 1.0, safe) - gammaln(alpha)).sum(axis=-1)
            more = xlogy(others - 1.0, np.maximum(left, 0.0))
        free = (~gap).sum(axis=-1) - np.where(open_, 0, 1)
        value = value + np.where(open_, more - gammaln(np.where(open_, others, 1.0)), 0.0)
        value = value + gammaln(self.total) - free * np.log(self.mass)
        return np.where(possible, value, -np.inf)

    def marginals(self) -> Beta:
        """The share of each part by itself, of the mass."""
        rest = self.total[..., None] - self.concentration
        if not np.all(rest > 0):
            raise check.fail(self, "concentration", "of several parts", self.concentration)
        return Beta(self.concentration, rest)

    def cdf(self, x: ArrayLike) -> Floats:
        """Probability that a part is at most ``x``, for each part by itself."""
        at = np.asarray(x, dtype=np.float64) / self.mass[..., None]
        if self.dim == 1 and not np.any(self.rest > 0):
            return np.where(at >= 1.0 - _TOL, 1.0, 0.0)
        return self.marginals().cdf(at)

    def quantile(self, q: ArrayLike) -> Floats:
        """Quantiles of each part by itself; the axes of ``q`` come first."""
        return self.marginals().quantile(q) * self.mass[..., None]

    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` vectors from each distribution, along a new first axis."""
        generator = source(self, n, rng)
        size = (n, *self.concentration.shape)
        # Logarithms of gamma variables: those of tiny concentrations underflow by themselves.
        log_g = np.log(generator.standard_gamma(self.concentration + 1.0, size))
        log_g += np.log(generator.uniform(size=size)) / self.concentration
        extra = generator.standard_gamma(self.rest, size[:-1])
        top = log_g.max(axis=-1, keepdims=True)
        parts = np.exp(log_g - top)
        with np.errstate(divide="ignore", over="ignore"):
            others = np.exp(np.log(extra) - top[..., 0])
        share = parts / (parts.sum(axis=-1) + others)[..., None]
        return np.asarray(share * self.mass[..., None])

    def marginal(self, idx: Any) -> Self:
        """Joint distribution of the parts ``idx``, the others becoming the rest."""
        kept = coordinates(self, idx, self.dim)
        chosen = self.concentration[..., kept]
        gone = np.setdiff1d(np.arange(self.dim), kept)
        rest = self.rest + self.concentration[..., gone].sum(axis=-1)
        return type(self)(chosen, rest=rest, mass=self.mass)

    def condition(self, idx: Any, values: ArrayLike) -> Self:
        """Distribution of the other parts given those at ``idx``: they share what is left."""
        seen = coordinates(self, idx, self.dim)
        given = np.asarray(values, dtype=np.float64)
        given = given[..., None] if isinstance(idx, int | np.integer) else given
        if given.shape[-1:] != seen.shape:
            raise check.fail(self, "values", f"of shape (..., {len(seen)})", given.shape)
        left = np.setdiff1d(np.arange(self.dim), seen)
        remaining = self.mass - given.sum(axis=-1)
        if not np.all(remaining > 0) or not np.all(given >= 0):
            raise check.fail(self, "values", "at least 0 and below the mass together", values)
        return type(self)(self.concentration[..., left], rest=self.rest, mass=remaining)

    def kl(self, other: "Dirichlet") -> Floats:
        """Divergence to another over the same parts (distributions.21)."""
        if other.dim != self.dim or np.any(self.rest > 0) or np.any(other.rest > 0):
            raise check.fail(self, "parts", f"{self.dim} and all of them", other)
        a, b = self.concentration, other.concentration
        value = gammaln(self.total) - gammaln(other.total)
        value = value + (gammaln(b) - gammaln(a)).sum(axis=-1)
        gap = digamma(a) - digamma(self.total)[..., None]
        return np.asarray(value + ((a - b) * gap).sum(axis=-1))

    @classmethod
    def statistics(cls, X: ArrayLike, weight: ArrayLike | None = None) -> Totals:
        """Sums of the logarithms of complete rows (distributions.37).

        Rows with NaN have no statistics of their own: :meth:`expected_statistics` completes them.
        """
        rows = numbers(cls.__name__, "X", X)
        if rows.ndim != 2 or not np.all(rows > 0) or np.any(np.abs(rows.sum(axis=1) - 1) > _TOL):
            raise check.fail(cls.__name__, "X", "rows above 0 of sum 1", f"shape {rows.shape}")
        return Totals.of(np.log(rows), weight)

    def expected_statistics(self, X: ArrayLike, weight: ArrayLike | None = None) -> Totals:
        """Expected statistics of rows with NaN; each member of an array completes them by itself.

        Given the others, the missing parts share what is left as a Dirichlet vector of their own.
        """
        rows = numbers(self, "X", X)
        if self.shape:
            shares = member_shares(self, len(rows), weight)
            each = [self[j].expected_statistics(rows, w) for j, w in enumerate(shares.T)]
            return Totals.stack(each)
        gap = np.isnan(rows)
        left = 1.0 - np.where(gap, 0.0, rows).sum(axis=1, keepdims=True)
        others = np.where(gap, self.concentration, 0.0).sum(axis=1, keepdims=True)
        safe = np.where(others > 0, others, 1.0)
        filled = np.log(np.where(others > 0, left, 1.0)) + digamma(self.concentration)
        logs = np.where(gap, filled - digamma(safe), np.log(np.where(gap, 1.0, rows)))
        return Totals.of(logs, weight)

    @classmethod
    def fit(cls, stats: Totals | ArrayLike, prior: Belief | None = None) -> Self:
        """Maximum likelihood by Newton's steps; there is no conjugate prior here."""
        if prior is not None:
            raise check.fail(cls.__name__, "prior", "None: the family has no conjugate one", prior)
        stats = stats if isinstance(stats, Totals) else cls.statistics(stats)
        if not np.all(stats.weight > 0) or not np.all(np.exp(stats.means).sum(axis=-1) < 1 - 1e-14):
            raise check.fail(cls.__name__, "data", "of two different rows", "fewer")
        return cls(concentrations(stats.means))

    def __getitem__(self, key: Any) -> Self:
        if not self.shape:
            raise TypeError(f"{type(self).__name__}: a single distribution has no members")
        return type(self)(self.concentration[key], rest=self.rest[key], mass=self.mass[key])

    def __repr__(self) -> str:
        batch = f", shape={self.shape}" if self.shape else ""
        return f"Dirichlet(concentration={shown(self.concentration)}{batch})"

    def _vectors(self, x: ArrayLike) -> Floats:
        at = numbers(self, "x", x)
        if at.shape[-1:] != (self.dim,):
            raise check.fail(self, "x", f"of shape (..., {self.dim})", f"shape {at.shape}")
        return at
