"""A process before it has seen data."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from margin.gp import GaussianProcessRegressor
from margin.gp.regression._prior import Prior
from margin.kernels import RBF, White

X = np.linspace(0, 3, 5)[:, None]
KERNEL = 2.0 * RBF(1.5) + White(0.5)


def test_moments_are_those_of_the_kernel():
    model = GaussianProcessRegressor(KERNEL, mean=lambda rows: rows[:, 0])
    mean, cov = model.predict(X, return_cov=True)
    np.testing.assert_array_equal(mean, X[:, 0])
    np.testing.assert_allclose(cov, KERNEL(X))
    np.testing.assert_allclose(model.predict(X, return_std=True)[1], np.sqrt(2.5))


@pytest.mark.parametrize(("n_targets", "shape"), [(None, (5,)), (1, (5,)), (3, (5, 3))])
def test_shapes_do_not_change_with_fit(n_targets, shape):
    model = GaussianProcessRegressor(KERNEL, n_targets=n_targets, optimizer=None)
    targets = np.zeros((5, n_targets or 1))
    for _ in range(2):
        assert model.predict(X).shape == shape
        assert model.predict(X, return_cov=True)[1].shape == (5, *shape)
        assert model.sample_y(X, 4).shape == (*shape, 4)
        model.fit(X, targets)


def test_samples_have_the_covariance_of_the_kernel():
    functions = Prior("GP", KERNEL, None, None).sample(X, 40_000, np.random.default_rng(0))
    np.testing.assert_allclose(np.cov(functions[..., 0]), KERNEL(X), atol=0.1)


def test_a_matrix_says_nothing_before_fit():
    with pytest.raises(NotFittedError, match="precomputed"):
        GaussianProcessRegressor("precomputed").predict(np.eye(2))


def test_other_numbers_of_targets_are_refused():
    with pytest.raises(ValueError, match="The number of targets seen in `y`"):
        GaussianProcessRegressor(KERNEL, n_targets=2).fit(X, X[:, 0])
    with pytest.raises(ValueError, match="n_targets must be"):
        GaussianProcessRegressor(KERNEL, n_targets=0).fit(X, X[:, 0])
