import numpy as np
import pytest
from sklearn.datasets import load_iris, load_linnerud
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression

from margin.decomposition import CCA


def test_correlations_fall_and_are_those_of_the_variates():
    """decomposition.11: the variates have variance one, correlate as told, and nothing else."""
    X, y = load_linnerud(return_X_y=True)
    T, U = CCA(3).fit_transform(X, y)
    model = CCA(3).fit(X, y)
    n = len(X)
    np.testing.assert_allclose(T.T @ T / n, np.eye(3), atol=1e-10)
    np.testing.assert_allclose(U.T @ U / n, np.eye(3), atol=1e-10)
    np.testing.assert_allclose(T.T @ U / n, np.diag(model.correlations_), atol=1e-10)
    assert (np.diff(model.correlations_) <= 0).all()


def test_the_order_that_deflation_gets_wrong():
    """decomposition.11: strong correlations of weak columns come first."""
    rng = np.random.default_rng(0)
    n = 500
    shared = rng.normal(size=(n, 3))
    X = np.hstack([shared * [0.01, 1.0, 100.0], rng.normal(size=(n, 3))])
    y = shared + rng.normal(size=(n, 3)) * [0.05, 0.5, 2.0]
    found = CCA(3).fit(X, y).correlations_
    assert (np.diff(found) < 0).all()
    assert found[0] > 0.99


def test_invariant_to_invertible_maps():
    """decomposition.11: correlations do not depend on the coordinates of either table."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(30, 4)), rng.normal(size=(30, 3))
    M, N = rng.normal(size=(4, 4)), rng.normal(size=(3, 3))
    one = CCA(3).fit(X, y).correlations_
    two = CCA(3, scale=False).fit(X @ M + 5, y @ N - 2).correlations_
    np.testing.assert_allclose(one, two, rtol=1e-8)


def test_canonical_variates_of_classes_are_discriminants():
    """decomposition.11: with one-hot classes the directions are those of Fisher."""
    X, labels = load_iris(return_X_y=True)
    model = CCA(2).fit(X, np.eye(3)[labels][:, :2])
    lda = LinearDiscriminantAnalysis(solver="eigen", n_components=2).fit(X, labels)
    ours, theirs = model.transform(X), lda.transform(X)
    for j in range(2):
        assert abs(np.corrcoef(ours[:, j], theirs[:, j])[0, 1]) == pytest.approx(1, abs=1e-8)


def test_all_components_predict_as_least_squares():
    X, y = load_linnerud(return_X_y=True)
    ours = CCA(3).fit(X, y).predict(X)
    np.testing.assert_allclose(ours, LinearRegression().fit(X, y).predict(X), rtol=1e-8)
    one = CCA(1).fit(X, y[:, 0])
    assert one.predict(X).shape == (20,)
    np.testing.assert_allclose(one.predict(X), LinearRegression().fit(X, y[:, 0]).predict(X))


def test_weights_are_repetitions_also_in_single_precision():
    rng = np.random.default_rng(2)
    X, y, times = rng.normal(size=(20, 3)), rng.normal(size=(20, 2)), rng.integers(0, 3, 20)
    heavy = CCA(2).fit(X, y, sample_weight=times)
    long = CCA(2).fit(np.repeat(X, times, axis=0), np.repeat(y, times, axis=0))
    np.testing.assert_allclose(heavy.correlations_, long.correlations_)
    np.testing.assert_allclose(heavy.coef_, long.coef_)
    single = CCA(2).fit(X.astype(np.float32), y, sample_weight=times)
    assert single.x_rotations_.dtype == np.float32
    np.testing.assert_allclose(single.correlations_, long.correlations_, rtol=1e-4)


def test_rows_come_back():
    X, y = load_linnerud(return_X_y=True)
    model = CCA(3).fit(X, y)
    back_X, back_y = model.inverse_transform(*model.transform(X, y))
    np.testing.assert_allclose(back_X, X)
    np.testing.assert_allclose(back_y, y)


def test_more_columns_than_rows():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(10, 30)), rng.normal(size=(10, 5))
    assert CCA(1).fit(X, y).correlations_[0] == pytest.approx(1)
    held = CCA(1, alpha=1.0).fit(X, y).correlations_[0]
    assert 0 < held < 0.99


def test_degenerate_tables():
    X, y = load_linnerud(return_X_y=True)
    flat = np.column_stack([X, np.full(20, 7.0), X[:, 0]])
    np.testing.assert_allclose(
        CCA(2).fit(flat, y).correlations_, CCA(2).fit(X, y).correlations_, rtol=1e-8
    )
    same = CCA(1).fit(np.ones((5, 2)), np.arange(5.0))
    assert same.correlations_[0] == 0
    np.testing.assert_allclose(same.predict(np.ones((2, 2))), 2.0)
    with pytest.raises(ValueError, match=r"CCA: n_components must be at most .* got 4"):
        CCA(4).fit(X, y)
