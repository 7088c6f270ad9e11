"""Targets that help each other."""

import numpy as np
import pytest

from margin.gp import GaussianProcessRegressor, MultiOutputGP
from margin.kernels import RBF, White


def targets(n=40, seed=0):
    rng = np.random.default_rng(seed)
    X = np.sort(rng.uniform(0, 8, size=(n, 1)), axis=0)
    f = np.sin(X[:, 0]) + 0.5 * np.cos(2.3 * X[:, 0])
    return X, np.column_stack([f, 3.0 - 2.0 * f]) + 0.05 * rng.normal(size=(n, 2))


def test_a_target_measured_rarely_borrows_from_the_other():
    X, Y = targets()
    hidden = Y.copy()
    hidden[15:, 1] = np.nan
    model = MultiOutputGP().fit(X, hidden)
    error = np.sqrt(np.mean((model.predict(X)[15:, 1] - Y[15:, 1]) ** 2))
    alone = GaussianProcessRegressor().fit(X[:15], Y[:15, 1])
    assert error < 0.3
    assert error < 0.3 * np.sqrt(np.mean((alone.predict(X)[15:] - Y[15:, 1]) ** 2))
    B = model.coregionalization_
    assert B[0, 1] / np.sqrt(B[0, 0] * B[1, 1]) < -0.95


def test_one_target_is_ordinary_regression():
    X, Y = targets(25)
    one = MultiOutputGP(kernel=RBF(1.0)).fit(X, Y[:, 0])
    kernel = 1.0 * RBF(1.0) + White(0.1)
    two = GaussianProcessRegressor(kernel=kernel, normalize_y=True, mean="constant")
    two.fit(X, Y[:, 0])
    np.testing.assert_allclose(one.predict(X), two.predict(X), atol=1e-3)
    assert one.log_marginal_likelihood_value_ == pytest.approx(
        two.log_marginal_likelihood_value_, abs=1e-3
    )


def test_predictions_have_the_shape_of_the_targets():
    X, Y = targets(15)
    model = MultiOutputGP().fit(X, Y)
    mean, std = model.predict(X, return_std=True)
    assert mean.shape == std.shape == (15, 2)
    assert model.predict_dist(X).var.shape == (15, 2)
    assert (model.predict_dist(X).var > std**2).all()


def test_bad_input():
    X, Y = targets(10)
    with pytest.raises(ValueError, match="measured at least once"):
        MultiOutputGP().fit(X, np.where([False, True], np.nan, Y))
    with pytest.raises(ValueError, match="NaN"):
        MultiOutputGP().fit(X, np.full(10, np.nan))
    with pytest.raises(ValueError, match="kernel must be a kernel of the rows"):
        MultiOutputGP(kernel="precomputed").fit(np.eye(10), Y)
