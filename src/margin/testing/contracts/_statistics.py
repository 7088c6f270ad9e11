"""What the sufficient statistics of every exponential family must satisfy."""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np

from margin.core.types import Floats
from margin.distributions import ExponentialFamily, Univariate


class StatisticsContract(ABC):
    """Base class of the tests of a fit by statistics: subclass it and give :meth:`make`.

    Data are drawn from the given distributions, and a distribution of the same family is fitted
    to them.

    Attributes
    ----------
    n : int
        Rows drawn.

    Examples
    --------
    >>> from margin.distributions import Normal
    >>> class TestNormal(StatisticsContract):
    ...     def make(self):
    ...         return [Normal([0.0, 5.0], [1.0, 0.1])]
    >>> TestNormal().test_batches_add_up()
    """

    n = 60

    @abstractmethod
    def make(self) -> Iterable[ExponentialFamily]:
        """Distributions to draw from and to fit again."""

    def cases(self) -> Iterable[tuple[Any, Floats]]:
        """Every distribution with rows drawn from it."""
        for distribution in self.make():
            yield distribution, distribution.sample(self.n, np.random.default_rng(0))

    def test_addition_is_associative_and_commutative(self) -> None:
        """The order in which batches are combined does not matter."""
        for distribution, X in self.cases():
            a, b, c = (distribution.statistics(part) for part in np.array_split(X, [7, 30]))
            assert_statistics_close((a + b) + c, a + (b + c))
            assert_statistics_close(a + b, b + a)

    def test_no_rows_are_the_neutral_element(self) -> None:
        """Statistics of no rows, or of rows of no weight, change nothing."""
        for distribution, X in self.cases():
            stats = distribution.statistics(X)
            for nothing in (
                distribution.statistics(X[:0]),
                distribution.statistics(X, np.zeros(self.n)),
            ):
                assert_statistics_close(stats + nothing, stats)
                assert_statistics_close(nothing + stats, stats)

    def test_batches_add_up(self) -> None:
        """Statistics of the parts sum to those of the whole, and so do the fits."""
        for distribution, X in self.cases():
            whole = distribution.statistics(X)
            parts = [distribution.statistics(part) for part in np.array_split(X, 9)]
            total = parts[0]
            for part in parts[1:]:
                total = total + part
            assert_statistics_close(total, whole)
            one, two = distribution.fit(whole), distribution.fit(total)
            np.testing.assert_allclose(one.log_prob(X), two.log_prob(X), rtol=1e-6, atol=1e-6)

    def test_weight_is_repetition(self) -> None:
        """A row of weight three is that row three times."""
        for distribution, X in self.cases():
            times = np.random.default_rng(1).integers(0, 4, size=self.n)
            weighted = distribution.statistics(X, times.astype(float))
            assert_statistics_close(weighted, distribution.statistics(np.repeat(X, times, axis=0)))

    def test_members_are_many_weighted_fits(self) -> None:
        """A matrix of weights gives, for each column, the statistics and fit of that column."""
        for distribution, X in self.cases():
            shares = np.random.default_rng(4).dirichlet(np.ones(3), size=self.n)
            stacked = distribution.statistics(X, shares)
            members = distribution.fit(stacked)
            table = members.log_prob_rows(X)
            assert table.shape == (self.n, 3)
            for j in range(3):
                one = distribution.statistics(X, shares[:, j])
                assert_statistics_close(stacked[j], one)
                alone = distribution.fit(one)
                np.testing.assert_allclose(
                    table[:, j], alone.log_prob_rows(X), rtol=1e-6, atol=1e-6
                )
            early, late = distribution.statistics(X[:20], shares[:20]), X[20:]
            assert_statistics_close(early + distribution.statistics(late, shares[20:]), stacked)

    def test_unobserved_rows_say_nothing(self) -> None:
        """Rows of NaN alone change neither the density of others nor an expected statistic."""
        for distribution, X in self.cases():
            gaps = np.where(np.arange(self.n).reshape((-1,) + (1,) * (X.ndim - 1)) % 3, X, np.nan)
            rows = distribution.log_prob_rows(gaps) if not distribution.shape else None
            if rows is not None:
                np.testing.assert_allclose(rows[::3], 0.0, atol=1e-12)
            columns = isinstance(distribution, Univariate)
            if columns:
                kept = np.arange(self.n) % 3 > 0
                expected = distribution.expected_statistics(gaps)
                assert_statistics_close(expected, distribution.statistics(X[kept]))

    def test_row_order_does_not_matter(self) -> None:
        """Statistics are a sum over rows."""
        for distribution, X in self.cases():
            mixed = X[np.random.default_rng(2).permutation(self.n)]
            assert_statistics_close(distribution.statistics(mixed), distribution.statistics(X))

    def test_fit_is_at_least_as_likely_as_the_truth(self) -> None:
        """No member of the family, not even the one drawn from, explains the rows better."""
        for distribution, X in self.cases():
            fitted = distribution.fit(distribution.statistics(X))
            assert type(fitted) is type(distribution)
            gain = float(np.sum(fitted.log_prob(X)) - np.sum(distribution.log_prob(X)))
            assert gain >= -1e-9, f"{distribution} explains its own draws better than the fit"

    def test_fit_finds_the_truth_again(self) -> None:
        """With many rows the fitted moments are those of the distribution drawn from."""
        for distribution in self.make():
            X = distribution.sample(20_000, np.random.default_rng(3))
            fitted = distribution.fit(distribution.statistics(X))
            spread = np.sqrt(distribution.var)
            assert (np.abs(fitted.mean - distribution.mean) <= 0.05 * spread).all()
            np.testing.assert_allclose(fitted.var, distribution.var, rtol=0.1)


def assert_statistics_close(one: Any, two: Any) -> None:
    """Check that two statistics hold the same numbers, up to rounding.

    Examples
    --------
    >>> from margin.distributions import Normal
    >>> assert_statistics_close(Normal.statistics([1.0, 2.0]), Normal.statistics([2.0, 1.0]))
    """
    assert type(one) is type(two)
    for field in dataclasses.fields(one):
        first, second = getattr(one, field.name), getattr(two, field.name)
        scale = float(np.nanmax(np.abs(first), initial=0.0))
        np.testing.assert_allclose(
            first, second, rtol=1e-9, atol=1e-9 * scale + 1e-12, err_msg=field.name
        )
