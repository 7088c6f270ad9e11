"""What every distribution must satisfy."""

import dataclasses
import pickle
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from scipy.integrate import quad

from margin.core.types import Floats
from margin.distributions import Distribution, Univariate
from margin.testing._refusal import refusal

LEVELS = np.array([1e-6, 0.01, 0.2, 0.5, 0.77, 0.99, 1 - 1e-6])


class DistributionContract(ABC):
    """Base class of the tests of a distribution: subclass it and give :meth:`make`.

    Attributes
    ----------
    n_draws : int
        Draws from which moments and frequencies are estimated.

    Examples
    --------
    >>> from margin.distributions import Normal
    >>> class TestNormal(DistributionContract):
    ...     def make(self):
    ...         return [Normal(1.0, 2.0), Normal([0.0, 5.0], 0.1)]
    >>> TestNormal().test_density_integrates_to_one()
    """

    n_draws = 4000

    @abstractmethod
    def make(self) -> Iterable[Distribution]:
        """Distributions to test: single ones and arrays of them."""

    def support(self, distribution: Distribution) -> Floats | None:
        """Every value a discrete distribution takes, in order; ``None`` for a continuous one."""
        return None

    def singles(self) -> Iterator[Any]:
        """Every univariate distribution by itself, arrays taken apart."""
        for distribution in self.make():
            if isinstance(distribution, Univariate):
                for index in np.ndindex(distribution.shape):
                    yield distribution[index] if index else distribution

    def test_is_immutable(self) -> None:
        """Frozen, with parameters that cannot be written to, and the same after pickling."""
        rng = np.random.default_rng(0)
        for distribution in self.make():
            name = type(distribution).__name__
            params: Any = getattr(type(distribution), "__dataclass_params__", None)
            assert params is not None, f"{name} must be a dataclass"
            assert params.frozen, f"{name} must be frozen"
            for field in dataclasses.fields(distribution):  # type: ignore[arg-type]
                value = getattr(distribution, field.name)
                if isinstance(value, np.ndarray):
                    assert not value.flags.writeable, f"{name}.{field.name} can be written to"
            x = distribution.sample(5, rng)
            again = pickle.loads(pickle.dumps(distribution))
            np.testing.assert_array_equal(distribution.log_prob(x), again.log_prob(x))
            assert name in repr(distribution)

    def test_shapes(self) -> None:
        """Moments, densities and draws have the shapes of the parameters and of the points."""
        rng = np.random.default_rng(0)
        for distribution in self.make():
            draws = distribution.sample(7, rng)
            event = draws.shape[1 + len(distribution.shape) :]
            assert draws.shape == (7, *distribution.shape, *event), f"{distribution}"
            assert bool(event) != isinstance(distribution, Univariate), f"{distribution}"
            assert distribution.log_prob(draws).shape == (7, *distribution.shape)
            for moment in (distribution.mean, distribution.var):
                assert np.broadcast_shapes(moment.shape, draws.shape[1:]) == draws.shape[1:]
            assert distribution.cdf(draws).shape == draws.shape
            assert distribution.quantile([0.2, 0.6, 0.9]).shape == (3, *draws.shape[1:])

    def test_density_integrates_to_one(self) -> None:
        """The total probability is one."""
        for distribution in self.singles():
            values = self.support(distribution)
            if values is not None:
                total = float(np.exp(distribution.log_prob(values)).sum())
            else:
                total = _integral(distribution)
            np.testing.assert_allclose(total, 1.0, rtol=1e-6, err_msg=f"{distribution}")

    def test_cdf_accumulates_the_density(self) -> None:
        """The distribution function is the integral, or the running sum, of the density."""
        for distribution in self.singles():
            values = self.support(distribution)
            if values is not None:
                wanted = np.cumsum(np.exp(distribution.log_prob(values)))
                np.testing.assert_allclose(distribution.cdf(values), wanted, rtol=1e-9)
                continue
            x = distribution.quantile(LEVELS[1:-1])
            h = 1e-5 * float(distribution.quantile(0.75) - distribution.quantile(0.25))
            rise = (distribution.cdf(x + h) - distribution.cdf(x - h)) / (2 * h)
            density = np.exp(distribution.log_prob(x))
            np.testing.assert_allclose(rise, density, rtol=1e-4, err_msg=f"{distribution}")

    def test_cdf_runs_from_zero_to_one(self) -> None:
        """Nothing lies below minus infinity, everything below infinity, and it never falls."""
        for distribution in self.make():
            assert np.all(distribution.cdf(-np.inf) == 0), f"{distribution}"
            assert np.all(distribution.cdf(np.inf) == 1), f"{distribution}"
            x = np.sort(distribution.sample(50, np.random.default_rng(1)), axis=0)
            assert np.diff(distribution.cdf(x), axis=0).min() >= 0, f"{distribution}"

    def test_quantile_inverts_the_cdf(self) -> None:
        """A quantile is the first value at which the distribution function reaches the level."""
        for distribution in self.make():
            x = distribution.quantile(LEVELS)
            reached = np.moveaxis(distribution.cdf(x), 0, -1)
            if self.support(distribution) is None:
                np.testing.assert_allclose(
                    reached, np.broadcast_to(LEVELS, reached.shape), rtol=1e-7, atol=1e-12
                )
            else:
                assert (reached >= LEVELS - 1e-12).all(), f"{distribution}"
                before = np.moveaxis(distribution.cdf(x - 1e-6), 0, -1)
                assert (before <= LEVELS + 1e-12).all(), f"{distribution}"
            assert refusal(distribution.quantile, 1.5), f"{distribution} has a 1.5 quantile"

    def test_interval_holds_its_level(self) -> None:
        """The central interval is between the quantiles that leave equal shares outside."""
        for distribution in self.make():
            low, high = distribution.interval(0.8)
            np.testing.assert_allclose(low, distribution.quantile(0.1), rtol=1e-9)
            np.testing.assert_allclose(high, distribution.quantile(0.9), rtol=1e-9)
            assert refusal(distribution.interval, 1.0), f"{distribution}"

    def test_draws_follow_the_distribution(self) -> None:
        """Moments within five standard errors, frequencies within Kolmogorov's bound."""
        for distribution in self.make():
            draws = distribution.sample(self.n_draws, np.random.default_rng(2))
            again = distribution.sample(self.n_draws, np.random.default_rng(2))
            np.testing.assert_array_equal(draws, again)
            mean, var = (np.broadcast_to(m, draws.shape[1:]) for m in _moments(distribution))
            tame = np.isfinite(var)
            error = np.abs(draws.mean(axis=0) - mean)
            assert (error <= 5 * np.sqrt(var / self.n_draws))[tame].all(), f"{distribution}: mean"
            spread = draws.var(axis=0)
            noise = 5 * np.sqrt(np.mean((draws - draws.mean(axis=0)) ** 4, axis=0) / self.n_draws)
            assert (np.abs(spread - var) <= noise)[tame].all(), f"{distribution}: variance"
            below = np.sort(distribution.cdf(draws), axis=0).reshape(self.n_draws, -1)
            share = np.arange(1, self.n_draws + 1)[:, None] / self.n_draws
            gap = share - below if self.support(distribution) is not None else abs(share - below)
            assert gap.max() <= 2.0 / np.sqrt(self.n_draws), f"{distribution}: frequencies"

    def test_array_is_many_single_ones(self) -> None:
        """Each member of an array answers as it would alone."""
        for distribution in self.make():
            if not isinstance(distribution, Univariate) or not distribution.shape:
                continue
            x = distribution.sample(4, np.random.default_rng(3))
            for index in np.ndindex(distribution.shape):
                alone, own = distribution[index], (slice(None), *index)
                np.testing.assert_allclose(alone.log_prob(x[own]), distribution.log_prob(x)[own])
                np.testing.assert_allclose(alone.cdf(x[own]), distribution.cdf(x)[own])
                np.testing.assert_allclose(alone.mean, distribution.mean[index])
                np.testing.assert_allclose(alone.quantile(0.3), distribution.quantile(0.3)[index])

    def test_nan_is_unobserved(self) -> None:
        """A missing value is marginalised: it changes no log density."""
        for distribution in self.make():
            x = distribution.sample(3, np.random.default_rng(4))
            nothing = distribution.log_prob(np.full_like(x, np.nan))
            np.testing.assert_allclose(nothing, 0.0, atol=1e-12, err_msg=f"{distribution}")
            if not isinstance(distribution, Univariate) and x.shape[-1] > 1:
                part = x.copy()
                part[..., 1:] = np.nan
                np.testing.assert_allclose(
                    distribution.log_prob(part), distribution.marginal([0]).log_prob(x[..., :1])
                )

    def test_chain_rule(self) -> None:
        """The joint density is the marginal of some coordinates times the rest given these."""
        for distribution in self.make():
            draws = distribution.sample(5, np.random.default_rng(5))
            if len(distribution.shape) + draws.ndim > 3 or draws.ndim < 2:
                continue
            d = draws.shape[-1]
            for seen in ([0], [d - 1], list(range(d - 1))) if d > 1 else ():
                rest = np.setdiff1d(np.arange(d), seen)
                for x in draws:
                    first = distribution.marginal(seen).log_prob(x[seen])
                    second = distribution.condition(seen, x[seen]).log_prob(x[rest])
                    np.testing.assert_allclose(
                        np.sum(first) + np.sum(second), np.sum(distribution.log_prob(x)), rtol=1e-9
                    )


def _moments(distribution: Distribution) -> tuple[Floats, Floats]:
    """Mean and variance, with infinity for a variance that does not exist."""
    mean, var = np.asarray(distribution.mean), np.asarray(distribution.var)
    return np.nan_to_num(mean), np.where(np.isnan(var), np.inf, var)


def _integral(distribution: Any) -> float:
    """Integral of the density over the line, mapped to an interval around the median."""
    middle = float(distribution.quantile(0.5))
    width = float(distribution.quantile(0.75) - distribution.quantile(0.25))

    def integrand(angle: float) -> float:
        x = middle + width * np.tan(angle)
        return float(np.exp(distribution.log_prob(x)) * width / np.cos(angle) ** 2)

    half = np.pi / 2
    return float(quad(integrand, -half, half, points=[0.0], limit=200)[0])
