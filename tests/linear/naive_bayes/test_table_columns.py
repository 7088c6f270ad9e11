import numpy as np
import pytest

from margin.linear._membership import Membership
from margin.linear.naive_bayes._table_columns import Bins, Categories, TableColumns


def test_histogram_is_a_density():
    """linear.47: it integrates to one, in every class."""
    rng = np.random.default_rng(0)
    X, code = rng.standard_normal((200, 1)), rng.integers(2, size=200)
    model = TableColumns(1.0, Bins.of(X, 7))
    fitted = model.fit(model.statistics(X, Membership.hard(code, 2)))
    low, high = X.min(), X.max()
    grid = np.linspace(low, high, 70_001)[:-1, None] + (high - low) / 140_000
    mass = np.exp(fitted.log_prob(grid)).sum(axis=0) * (high - low) / 70_000
    np.testing.assert_allclose(mass, 1.0, rtol=1e-6)


def test_bins():
    X = np.array([[0.0, 5.0], [4.0, 5.0], [8.0, np.nan], [1.0, 5.0]])
    bins = Bins.of(X, 4)
    assert bins.sizes == (4, 1)
    np.testing.assert_array_equal(bins.edges[0], [0, 2, 4, 6, 8])
    np.testing.assert_array_equal(bins.cells(X)[:, 0], [0, 2, 3, 0])
    np.testing.assert_array_equal(bins.cells(X)[:, 1], [0, 0, np.nan, 0])
    assert Bins.of(np.arange(27.0)[:, None], "auto").sizes == (6,)
    assert Bins.of(np.full((3, 1), np.nan), "auto").sizes == (1,)


def test_categories_are_the_dirichlet_prediction():
    """linear.44: the smoothed frequency is the chance of the category under the posterior."""
    X = np.array([[0.0], [1.0], [1.0], [np.nan]])
    model = TableColumns(2.0, Categories((3,)))
    fitted = model.fit(model.statistics(X, Membership.hard(np.zeros(4), 1)))
    theta = np.random.default_rng(0).dirichlet([1 + 2, 2 + 2, 0 + 2], size=200_000)
    np.testing.assert_allclose(np.exp(fitted.log_theta[0][0]), theta.mean(axis=0), atol=2e-3)


@pytest.mark.parametrize("value", [np.nan, 7.0, -1.0, 0.5])
def test_what_is_no_category_says_nothing(value):
    model = TableColumns(1.0, Categories((2,)))
    X = np.array([[0.0], [1.0], [1.0]])
    fitted = model.fit(model.statistics(X, Membership.hard(np.array([0, 1, 1]), 2)))
    np.testing.assert_array_equal(fitted.log_prob(np.array([[value]])), [[0.0, 0.0]])
