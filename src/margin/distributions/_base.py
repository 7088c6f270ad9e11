"""The contract of a distribution."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions._parameters import coordinates
from margin.distributions._requirements import Seed, numbers
from margin.distributions._rows import by_blocks, sums_over_columns


class Belief(Protocol):
    """A conjugate belief about the parameters of a family: prior and posterior alike.

    ``belief.posterior(family.statistics(A) + family.statistics(B))`` equals the belief updated by
    ``A`` and then by ``B``.
    """

    @property
    def mode(self) -> Any:
        """The most probable parameters: one array, or a tuple in the order of the family."""

    def posterior(self, stats: Any) -> Self:
        """Belief after the data of ``stats``."""

    def log_evidence(self, stats: Any) -> Any:
        """Logarithm of the probability of the data, parameters integrated out."""


class Distribution(ABC):
    """A probability distribution, or an array of independent ones with parameters of that shape.

    A subclass is final: a frozen dataclass in a file of its own, whose parameters may be arrays, so
    that one object holds the prediction for every row of a table. NaN means unobserved: it is
    marginalised, that is, contributes nothing to ``log_prob``.

    Attributes
    ----------
    mean, var : ndarray
        Expectation and variance of every coordinate, in the shape of the parameters.
    """

    if TYPE_CHECKING:
        # A field in some families, a property in others: only the type checker can see both.
        @property
        def mean(self) -> Floats: ...
        @property
        def var(self) -> Floats: ...

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of distributions; ``()`` for a single one."""

    @abstractmethod
    def log_prob(self, x: ArrayLike) -> Floats:
        """Logarithm of the density at ``x``, which is broadcast against the parameters."""

    def log_prob_rows(self, X: ArrayLike) -> Floats:
        """Log density of every row under every member: what mixtures and hidden chains ask.

        Parameters
        ----------
        X : array-like of shape (n, ...)
            Rows, each one event of a member; NaN is marginalised.

        Returns
        -------
        ndarray of shape (n, ...)
            So (n,) for a single distribution, (n, k) for an array of ``k``.

        Notes
        -----
        By blocks of rows: no table of n × k × d numbers is held.
        """
        return by_blocks(self.log_prob, numbers(self, "X", X), self.shape)

    @abstractmethod
    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` independent draws, along a new first axis; ``rng`` is a generator or a seed."""

    @abstractmethod
    def cdf(self, x: ArrayLike) -> Floats:
        """Probability of at most ``x``, separately for every coordinate."""

    @abstractmethod
    def quantile(self, q: ArrayLike) -> Floats:
        """Where the ``cdf`` of every coordinate reaches ``q``; an axis of ``q`` comes first."""

    @abstractmethod
    def marginal(self, idx: Any) -> Self:
        """Joint distribution of the chosen coordinates alone."""

    @abstractmethod
    def condition(self, idx: Any, values: ArrayLike) -> Self:
        """Distribution of the other coordinates, in their order, given values of the chosen."""

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Central interval of every coordinate: lower and upper ends.

        Parameters
        ----------
        level : float
            Probability inside; the rest is split evenly between both sides.
        """
        if not 0 < level < 1:
            raise check.fail(self, "level", "a number between 0 and 1, both excluded", level)
        return self.quantile((1 - level) / 2), self.quantile((1 + level) / 2)


class Univariate(Distribution):
    """An array of independent distributions of one number each.

    Together they are a product distribution: its marginals are sub-arrays, and no value of some
    coordinates changes the others.
    """

    @abstractmethod
    def __getitem__(self, key: Any) -> Self:
        """The distributions at ``key``, as NumPy would index an array of them."""

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError(f"{type(self).__name__}: a single distribution has no length")
        return self.shape[0]

    def log_prob_rows(self, X: ArrayLike) -> Floats:
        """Log density of every row under every member, columns being independent.

        Parameters
        ----------
        X : array-like of shape (n,) or (n, d)
            Rows of one number, or of as many as the last axis of :attr:`shape` has; NaN is
            marginalised.

        Returns
        -------
        ndarray
            Of shape (n, k) for parameters of shape (k,) and rows of one number, or of shape
            (k, d) and rows of ``d``; of shape (n,) for a single member.
        """
        return sums_over_columns(self, self.log_prob, self.shape, X)

    def marginal(self, idx: Any) -> Self:
        """The distributions at ``idx``."""
        return self[idx]

    def condition(self, idx: Any, values: ArrayLike) -> Self:
        """The distributions without those at ``idx``; being independent, they stay the same."""
        if len(self.shape) != 1:
            raise check.fail(self, "shape", "one-dimensional to condition", self.shape)
        chosen = coordinates(self, idx, self.shape[0])
        given = np.asarray(values, dtype=np.float64)
        if given.shape[-1:] != chosen.shape and given.shape != ():
            raise check.fail(self, "values", f"one for each of {len(chosen)} indices", given.shape)
        return self[np.setdiff1d(np.arange(self.shape[0]), chosen)]


class ExponentialFamily(Distribution):
    """A distribution fitted through sufficient statistics, which add up over batches of rows.

    ``family.fit(family.statistics(A) + family.statistics(B))`` equals the fit to the rows of both,
    so that batch, streaming, out-of-core and distributed fitting are one code.

    A matrix of weights, a column for each of ``k`` members, gives statistics that are stacked along
    a first axis; the fit to them is an array of ``k`` members, whose :meth:`log_prob_rows` is the
    (n, k) table that the next responsibilities are made of. None of the three holds a table of
    n × k × d numbers.
    """

    @classmethod
    @abstractmethod
    def statistics(cls, X: ArrayLike, weight: ArrayLike | None = None) -> Any:
        """Sufficient statistics of the rows of ``X``, each counted ``weight`` times.

        ``weight`` has the shape (n,), or (n, k) for ``k`` members at once.
        """

    def expected_statistics(self, X: ArrayLike, weight: ArrayLike | None = None) -> Any:
        """Expected statistics of rows with NaN under this distribution: the step "E" of EM.

        Where columns are independent nothing has to be expected: NaN is left out, which is exact.

        Parameters
        ----------
        X : array-like of shape (n, ...)
            Rows; NaN means unobserved.
        weight : array-like of shape (n,) or (n, k), optional
            Non-negative weights; one column for each member of an array of ``k``.
        """
        return self.statistics(X, weight)

    @classmethod
    @abstractmethod
    def fit(cls, stats: Any, prior: Any = None) -> Self:
        """Maximum-likelihood member of the family, or maximum a posteriori with a prior.

        ``stats`` are the :meth:`statistics`, or rows of data, which are summed up first.
        """
