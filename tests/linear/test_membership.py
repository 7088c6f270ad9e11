import numpy as np
import pytest
from scipy import sparse

from margin.linear._membership import Membership


def table(n=40, p=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p)) + 10.0
    X[rng.random(X.shape) < 0.2] = np.nan
    return X, rng.integers(3, size=n), rng.random(n)


def test_certain_shares_are_codes():
    """Hard and soft membership are one thing: shares of zero and one give the sums of codes."""
    X, code, weight = table()
    hard = Membership.hard(code, 3, weight)
    soft = Membership.soft(np.eye(3)[code], weight)
    np.testing.assert_allclose(soft.total, hard.total)
    np.testing.assert_allclose(soft.sums(X), hard.sums(X), rtol=1e-12)
    for name in ("total", "count", "mean", "scatter"):
        ours, theirs = getattr(soft.moments(X), name), getattr(hard.moments(X), name)
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)
    cells = np.floor(np.abs(X)) % 4
    for one, two in zip(hard.tables(cells, (4, 3, 2)), soft.tables(cells, (4, 3, 2)), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-12)


def test_soft_moments_are_weighted_moments():
    X, _, weight = table()
    share = np.random.default_rng(1).dirichlet(np.ones(3), len(X))
    moments = Membership.soft(share, weight).moments(X)
    for k in range(3):
        for j in range(X.shape[1]):
            seen = ~np.isnan(X[:, j])
            w, x = (weight * share[:, k])[seen], X[seen, j]
            mean = np.average(x, weights=w)
            assert moments.mean[k, j] == pytest.approx(mean, rel=1e-12)
            assert moments.scatter[k, j] == pytest.approx(w @ (x - mean) ** 2, rel=1e-9)


@pytest.mark.parametrize("n_classes", [3, 20])
def test_sparse_rows(n_classes):
    rng = np.random.default_rng(2)
    X = sparse.random_array((50, 8), density=0.2, rng=rng).tocsr()
    members = Membership.hard(rng.integers(n_classes, size=50), n_classes, rng.random(50))
    np.testing.assert_allclose(members.sums(X), members.sums(X.toarray()), atol=1e-12)


def test_counts_leave_out_what_is_no_category():
    cells = np.array([[0.0], [1.0], [np.nan], [0.5], [9.0]])
    counts = Membership.hard(np.zeros(5), 1).tables(cells, (2,))[0]
    np.testing.assert_array_equal(counts, [[1.0, 1.0]])
