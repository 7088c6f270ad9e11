from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

from margin.distributions import MultivariateNormal, Normal, StudentT, Univariate
from margin.distributions._parameters import parameter
from margin.testing import DistributionContract


class TestNormal(DistributionContract):
    def make(self):
        return [Normal(1.0, 0.01), Normal([[0.0, 5.0], [1e6, -3.0]], [1.0, 2.0])]


class TestStudentT(DistributionContract):
    """Heavy tails: variances, and even means, that do not exist."""

    def make(self):
        return [StudentT([0.8, 1.5, 3.0, 50.0], 2.0, 0.5)]


class TestMultivariateNormal(DistributionContract):
    def make(self):
        covariance = np.array([[2.0, 0.6, 0.1], [0.6, 1.0, -0.4], [0.1, -0.4, 0.5]])
        return [
            MultivariateNormal([1.0, -2.0, 0.0], covariance),
            MultivariateNormal([1.0, -2.0, 0.0], precision=covariance),
            MultivariateNormal(np.arange(6.0).reshape(2, 3), covariance),
        ]


@dataclass(frozen=True, eq=False)
class Binomial(Univariate):
    """Number of successes in ``n`` trials: a discrete distribution to try the contract on."""

    n: int
    p: np.ndarray

    def __post_init__(self):
        object.__setattr__(self, "p", parameter(self, "p", self.p))

    @property
    def _peer(self):
        return stats.binom(self.n, self.p)

    shape = property(lambda self: self.p.shape)
    mean = property(lambda self: self._peer.mean())
    var = property(lambda self: self._peer.var())

    def log_prob(self, x):
        found = self._peer.logpmf(np.nan_to_num(x))
        return np.where(np.isnan(x), 0.0, found)

    def cdf(self, x):
        return np.asarray(self._peer.cdf(x))

    def quantile(self, q):
        q = np.asarray(q, dtype=float)
        if not ((q >= 0) & (q <= 1)).all():
            raise ValueError("Binomial: q must be between 0 and 1")
        return np.asarray(self._peer.ppf(q.reshape(q.shape + (1,) * len(self.shape))))

    def sample(self, n, rng):
        return rng.binomial(self.n, self.p, size=(n, *self.shape)).astype(float)

    def __getitem__(self, key):
        return Binomial(self.n, self.p[key])


class TestBinomial(DistributionContract):
    """Sums in the place of integrals."""

    def make(self):
        return [Binomial(5, 0.3), Binomial(9, [0.2, 0.5, 0.9])]

    def support(self, distribution):
        return np.arange(distribution.n + 1.0)


def broken(**members):
    return type("Broken", (Normal,), members)([0.0, 1.0], [1.0, 3.0])


def base(name):
    return getattr(Normal, name)


FAULTS = {
    "test_shapes": {"sample": lambda self, n, rng: rng.normal(size=(n, 1))},
    "test_density_integrates_to_one": {
        "log_prob": lambda self, x: base("log_prob")(self, x) + 0.01
    },
    "test_cdf_accumulates_the_density": {
        "cdf": lambda self, x: np.asarray(base("cdf")(self, np.asarray(x) / 1.1))
    },
    "test_cdf_runs_from_zero_to_one": {"cdf": lambda self, x: 0.9 * base("cdf")(self, x)},
    "test_quantile_inverts_the_cdf": {"quantile": lambda self, q: base("quantile")(self, q) + 1e-3},
    "test_interval_holds_its_level": {
        "interval": lambda self, level: (self.quantile(0.0), self.quantile(level))
    },
    "test_draws_follow_the_distribution": {
        "sample": lambda self, n, rng: 1.2 * base("sample")(self, n, rng)
    },
    "test_array_is_many_single_ones": {"__getitem__": lambda self, key: Normal(0.0, 1.0)},
    "test_nan_is_unobserved": {
        "log_prob": lambda self, x: -0.5 * np.nan_to_num(self._standard(x)) ** 2 - 1.0
    },
    "test_chain_rule": {"condition": lambda self, idx, values: Normal([3.0], [1.0])},
}


@pytest.mark.parametrize("test", FAULTS)
def test_a_fault_is_found_by_its_test(test):
    class Faulty(DistributionContract):
        def make(self):
            return [broken(**FAULTS[test])]

    with pytest.raises(AssertionError):
        getattr(Faulty(), test)()


def test_draws_that_differ_only_in_shape_are_found():
    """Right mean and variance, wrong distribution: only the frequencies tell."""

    class Uniform(DistributionContract):
        def make(self):
            half = np.sqrt(3.0)
            made = broken(
                sample=lambda self, n, rng: (
                    self.mean + self.std * rng.uniform(-half, half, size=(n, 2))
                )
            )
            return [made]

    with pytest.raises(AssertionError, match="frequencies"):
        Uniform().test_draws_follow_the_distribution()


def test_writable_parameters_are_found():
    class Loose(DistributionContract):
        def make(self):
            made = Normal(0.0, 1.0)
            object.__setattr__(made, "mean", np.zeros(()))
            return [made]

    with pytest.raises(AssertionError, match="can be written to"):
        Loose().test_is_immutable()


def test_make_must_be_given():
    with pytest.raises(TypeError, match=r"abstract method.* '?make"):
        DistributionContract()
