"""Lasso (linear.14)."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso as Peer

from margin.core import Status
from margin.linear import ElasticNet, Lasso, LassoLars, LinearRegression


def sample(n=80, p=20, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.geomspace(0.3, 3, p) + 1.0
    return X, X[:, :4] @ rng.normal(size=4) + 3.0 + rng.normal(size=n), rng.random(n) + 0.1


def objective(X, y, weight, model, alpha):
    s = np.ones(len(y)) if weight is None else weight
    r = y - X @ model.coef_ - model.intercept_
    return s @ r**2 / (2 * s.sum()) + alpha * np.abs(model.coef_).sum()


def test_golden_orthonormal_design():
    """linear.14: with x_j'x_j = n, coefficients are soft thresholds of x_j'y / n."""
    Q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(16, 4)))
    X, y = 4 * Q, np.random.default_rng(1).normal(size=16)
    z = X.T @ y / 16
    model = Lasso(alpha=0.15, fit_intercept=False, tol=1e-12).fit(X, y)
    assert_allclose(model.coef_, np.sign(z) * np.maximum(np.abs(z) - 0.15, 0), atol=1e-7)


def test_golden_largest_strength():
    """linear.14: zero from alpha = max |X'y| / n on, which is lambda = 2 max |X'y| over 2n."""
    X, y, _ = sample()
    X, y = X - X.mean(axis=0), y - y.mean()
    limit = np.abs(X.T @ y).max() / len(y)
    assert not Lasso(alpha=limit * 1.0001).fit(X, y).coef_.any()
    assert np.count_nonzero(Lasso(alpha=limit * 0.999, tol=1e-9).fit(X, y).coef_) == 1


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("alpha", [0.5, 0.05, 0.001])
def test_agrees_with_scikit_learn(intercept, weighted, positive, alpha):
    """The same objective, at least as low, and the same coefficients."""
    X, y, weight = sample()
    weight = weight if weighted else None
    options = {"alpha": alpha, "fit_intercept": intercept, "positive": positive}
    ours = Lasso(tol=1e-11, **options).fit(X, y, weight)
    peer = Peer(tol=1e-12, max_iter=100_000, **options).fit(X, y, weight)
    assert_allclose(ours.coef_, peer.coef_, atol=1e-5)
    assert_allclose(ours.intercept_, peer.intercept_, atol=1e-4)
    assert objective(X, y, weight, ours, alpha) <= objective(X, y, weight, peer, alpha) + 1e-10
    assert_allclose(ours.predict(X), peer.predict(X), atol=1e-4)


@pytest.mark.parametrize("alpha", [0.3, 0.02])
def test_three_engines_one_answer(alpha):
    """linear.14: coordinate descent dense and sparse, and the homotopy."""
    X, y, weight = sample()
    X[np.abs(X) < 0.5] = 0.0
    dense = Lasso(alpha=alpha, tol=1e-12).fit(X, y, weight)
    assert_allclose(
        Lasso(alpha=alpha, tol=1e-12).fit(sparse.csr_array(X), y, weight).coef_,
        dense.coef_,
        atol=1e-6,
    )
    assert_allclose(
        LassoLars(alpha=alpha).fit(X, y, sample_weight=weight).coef_, dense.coef_, atol=1e-6
    )


def test_the_dual_gap_is_true():
    """optim.20: checked in extended precision against a much tighter fit."""
    X, y, weight = sample()
    tight = Lasso(alpha=0.05, tol=1e-14).fit(X, y, weight)
    for tol in (1e-2, 1e-4, 1e-7):
        model = Lasso(alpha=0.05, tol=tol).fit(X, y, weight)
        wide = [a.astype(np.longdouble) for a in (X, y, weight)]
        excess = objective(*wide, model, 0.05) - objective(*wide, tight, 0.05)
        assert -1e-12 <= excess <= model.dual_gap_ + 1e-15
        scale = np.average((y - np.average(y, weights=weight)) ** 2, weights=weight)
        assert model.dual_gap_ <= tol * scale
        assert_allclose(model.fit_report_.certificate.value, model.dual_gap_ / scale, rtol=1e-9)


def test_weights_are_repetitions_and_their_scale_does_not_matter():
    X, y, _ = sample()
    weight = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    model = Lasso(alpha=0.1, tol=1e-12).fit(X, y, weight)
    again = Lasso(alpha=0.1, tol=1e-12).fit(
        np.repeat(X, weight.astype(int), axis=0), np.repeat(y, weight.astype(int))
    )
    assert_allclose(model.coef_, again.coef_, atol=1e-6)
    assert_allclose(
        Lasso(alpha=0.1, tol=1e-12).fit(X, y, 1e6 * weight).coef_, model.coef_, atol=1e-7
    )


def test_several_targets_are_several_problems():
    X, y, _ = sample()
    Y = np.column_stack([y, -2 * y + X[:, 5]])
    model = Lasso(alpha=0.1, tol=1e-10).fit(X, Y)
    assert model.coef_.shape == (2, 20)
    assert model.predict(X).shape == Y.shape
    for k in range(2):
        alone = Lasso(alpha=0.1, tol=1e-10).fit(X, Y[:, k])
        assert_allclose(model.coef_[k], alone.coef_, atol=1e-12)
        assert_allclose(model.intercept_[k], alone.intercept_, atol=1e-12)
        assert model.n_iter_[k] == alone.n_iter_


def test_warm_start_begins_where_the_last_fit_ended():
    X, y, _ = sample(n=100, p=300)
    model = Lasso(alpha=0.05, tol=1e-10, warm_start=True).fit(X, y)
    assert model.n_iter_ > 1
    model.fit(X, y)
    assert model.n_iter_ == 0
    assert_allclose(model.coef_, Lasso(alpha=0.05, tol=1e-10).fit(X, y).coef_, atol=1e-5)
    model.fit(X[:, :7], y)  # another number of features: from scratch
    assert model.coef_.shape == (7,)


@pytest.mark.parametrize("order", ["C", "F"])
def test_float32_stays_float32(order):
    X, y, _ = sample()
    model = Lasso(alpha=0.1, tol=1e-8).fit(np.asarray(X, dtype=np.float32, order=order), y)
    assert model.coef_.dtype == model.predict(X.astype(np.float32)).dtype == np.float32
    assert_allclose(model.coef_, Lasso(alpha=0.1, tol=1e-8).fit(X, y).coef_, atol=1e-4)


def test_the_answer_does_not_depend_on_threads():
    X, y, _ = sample(n=300, p=400)
    one, two = (Lasso(alpha=0.05, n_jobs=k).fit(X, y).coef_ for k in (1, 2))
    assert_array_equal(one, two)


def test_no_penalty_is_least_squares():
    X, y, _ = sample()
    model = Lasso(alpha=0.0, tol=1e-9).fit(X, y)
    assert_allclose(model.coef_, LinearRegression().fit(X, y).coef_, atol=1e-5)


def test_degenerate_data():
    """n < p, constant columns and targets, equal columns, huge and tiny scales."""
    X, y, _ = sample(n=10, p=50)
    X[:, 3], X[:, 4] = 5.0, X[:, 5]
    model = Lasso(alpha=0.01).fit(X, y)
    assert model.coef_[3] == 0.0
    assert model.fit_report_.status is Status.CONVERGED
    flat = Lasso(alpha=0.01).fit(X, np.full(10, 0.1))
    assert not flat.coef_.any()
    assert flat.intercept_ == 0.1
    X, y, _ = sample()
    far = Lasso(alpha=0.1, tol=1e-10).fit(X + 1e7, y)
    assert_allclose(far.coef_, Lasso(alpha=0.1, tol=1e-10).fit(X, y).coef_, atol=1e-4)
    tiny = Lasso(alpha=1e-9, tol=1e-10).fit(1e-8 * X, y)
    assert_allclose(1e-8 * tiny.coef_, Lasso(alpha=0.1, tol=1e-10).fit(X, y).coef_, atol=1e-4)


def test_says_when_it_was_cut_short():
    X, y, _ = sample(n=100, p=400)
    with pytest.warns(ConvergenceWarning, match="max_iter=1 iterations with relative duality gap"):
        model = Lasso(alpha=1e-4, tol=1e-12, max_iter=1).fit(X, y)
    assert model.fit_report_.status is Status.MAX_ITER
    assert not model.fit_report_.certificate.holds


@pytest.mark.parametrize(
    "bad", [{"alpha": -1.0}, {"tol": -1.0}, {"max_iter": 0}, {"positive": "yes"}, {"n_jobs": 0}]
)
def test_bad_parameters_are_named(bad):
    (name,) = bad
    X, y, _ = sample()
    with pytest.raises(ValueError, match=f"Lasso: {name} must be"):
        Lasso(**bad).fit(X, y)


def test_sparse_coefficients():
    X, y, _ = sample()
    model = Lasso(alpha=0.5).fit(X, y)
    assert_array_equal(model.sparse_coef_.toarray()[0], model.coef_)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", [Lasso, ElasticNet])
def test_a_wide_table_is_not_copied(kind, order, dtype):
    """In either order of memory: what a fit takes is a small part of the table."""
    rng = np.random.default_rng(0)
    X = np.asarray(rng.normal(size=(300, 4000)), dtype=dtype, order=order)
    y = X[:, :3] @ np.ones(3) + rng.normal(size=300)
    kind(alpha=0.5).fit(X[:20], y[:20])  # what is loaded once
    tracemalloc.start()
    kind(alpha=0.5).fit(X, y)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 0.5 * X.nbytes
