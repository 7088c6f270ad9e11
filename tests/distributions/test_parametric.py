"""What families with named parameters share."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.distributions import Bernoulli, Beta, Exponential, Gamma, Poisson
from margin.distributions._parametric import is_count, proportion, supported


def test_parameters_are_broadcast_indexed_and_shown():
    many = Gamma([1.0, 2.0, 3.0], 2.0)
    assert many.shape == (3,)
    assert repr(many[1]) == "Gamma(concentration=2., rate=2.)"
    assert repr(Gamma(np.ones(9))) == "Gamma(concentration=1 … 1, rate=1 … 1, shape=(9,))"
    with pytest.raises(
        ValueError, match="Gamma: concentration and rate must be of matching shapes"
    ):
        Gamma([1.0, 2.0], [1.0, 2.0, 3.0])


def test_columns_and_members():
    """Rows of d numbers for parameters of shape (d,) or (k, d); anything else is refused."""
    X = np.ones((5, 2))
    assert Gamma([1.0, 2.0]).log_prob_rows(X).shape == (5,)
    assert Gamma(np.ones((3, 2))).log_prob_rows(X).shape == (5, 3)
    assert Gamma(np.ones(3)).log_prob_rows(X[:, 0]).shape == (5, 3)
    with pytest.raises(ValueError, match="Gamma: X must be rows of shape"):
        Gamma(np.ones((3, 4))).log_prob_rows(X)
    with pytest.raises(ValueError, match="Gamma: stats must be Totals or rows"):
        Gamma.fit(1.0)


def test_checks():
    values = np.array([0.0, 2.0, 2.5, -1.0, np.inf, np.nan])
    assert_array_equal(is_count(values), [True, True, False, False, False, False])
    with pytest.raises(ValueError, match=r"p must be between 0 and 1, got -0\.1"):
        proportion("Bernoulli", "p", np.array([0.5, -0.1]))
    with pytest.raises(ValueError, match=r"X must be even or NaN, got 3\.0"):
        supported("Evens", np.array([2.0, 3.0]), np.array([True, False]), "even")


@pytest.mark.parametrize(
    "members",
    [
        Gamma([[1.0, 2.0], [3.0, 0.5], [9.0, 1.0]], 2.0),
        Exponential([[1.0, 2.0], [3.0, 0.5]]),
        Beta([[1.0, 2.0], [3.0, 0.5]], 1.5),
        Bernoulli([[0.1, 0.2], [0.3, 1.0]]),
        Poisson([[1.0, 2.0], [3.0, 0.0]]),
        Poisson([[1.0, 2.0], [3.0, 4.0]]),
    ],
    ids=lambda m: type(m).__name__,
)
def test_products_with_natural_parameters(members):
    """The table of rows and members is that of the densities, gaps and impossible values too."""
    X = members[0].sample(50, 0)
    X[::5, 0] = np.nan
    wanted = members.log_prob(X[:, None]).sum(axis=-1)
    assert_allclose(members.log_prob_rows(X), wanted, rtol=1e-9, atol=1e-12)
    X[0, 1], X[1, 1] = -1.0, np.inf
    wanted = members.log_prob(X[:, None]).sum(axis=-1)
    assert_allclose(members.log_prob_rows(X), wanted, rtol=1e-9, atol=1e-12)
    line = members[:, 0]
    assert_allclose(line.log_prob_rows(X[2:, 0]), line.log_prob(X[2:, :1]), rtol=1e-9, atol=1e-12)
