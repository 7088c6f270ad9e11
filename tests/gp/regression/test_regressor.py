"""Gaussian process regression as a user meets it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from margin.core import FitError
from margin.gp import GaussianProcessRegressor
from margin.kernels import RBF, Constant, Kernel, Linear, Matern, White
from margin.linear import BayesianLinearRegression

RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 2))
Y = np.sin(X[:, 0]) + X[:, 1] + 0.1 * RNG.normal(size=20)


@dataclass(frozen=True)
class Letters(Kernel):
    """Scalar product of the shares of a and b in two words."""

    input: ClassVar[str] = "strings"

    @staticmethod
    def shares(words):
        return np.array([[w.count("a") / len(w), w.count("b") / len(w)] for w in words])

    def __call__(self, X, Z=None, *, n_threads=None):
        return self.shares(X) @ self.shares(X if Z is None else Z).T

    def diag(self, X):
        return np.sum(self.shares(X) ** 2, axis=1)


def fixed(kernel=None, **parameters):
    kernel = RBF(1.0) if kernel is None else kernel
    return GaussianProcessRegressor(kernel=kernel, optimizer=None, **parameters)


def test_worked_numbers():
    """gp.03: one datum (0, 1), k = exp(-1), noise 0.1."""
    model = fixed(alpha=0.1).fit([[0.0]], [1.0])
    where = [[np.sqrt(2.0)]]
    latent, seen = model.predict_dist(where, latent=True), model.predict_dist(where)
    assert latent.mean[0] == pytest.approx(0.33443586, abs=1e-8)
    assert latent.var[0] == pytest.approx(0.87696792, abs=1e-8)
    assert seen.var[0] == pytest.approx(0.97696792, abs=1e-8)


def test_noise_free_interpolation():
    """gp.02: the mean goes through the data, the variance vanishes there and ignores y."""
    model = fixed(Matern(1.0, nu=2.5), alpha=0.0).fit(X, Y)
    mean, std = model.predict(X, return_std=True)
    np.testing.assert_allclose(mean, Y, atol=1e-9)
    assert std.max() < 1e-6
    new = X + 0.3
    other = fixed(Matern(1.0, nu=2.5), alpha=0.0).fit(X, -3 * Y)
    np.testing.assert_array_equal(
        model.predict(new, return_std=True)[1], other.predict(new, return_std=True)[1]
    )
    cov = model.predict(np.concatenate([new, X]), return_cov=True)[1]
    np.testing.assert_array_equal(cov, cov.T)
    assert np.linalg.eigvalsh(cov)[0] > -1e-9
    assert np.diagonal(cov).min() >= 0


def test_more_noise_shrinks_towards_the_mean():
    """gp.03: no noise interpolates, infinite noise gives the mean function."""
    errors = [np.abs(fixed(alpha=a).fit(X, Y).predict(X)).max() for a in (1e-6, 1.0, 1e2, 1e8)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1e-6


def test_linear_kernel_is_bayesian_linear_regression():
    """gp.07: weight space and function space are the same model."""
    gp = fixed(2.0 * Linear(), alpha=0.25).fit(X, Y)
    linear = BayesianLinearRegression(
        prior_precision=0.5, noise_variance=0.25, fit_intercept=False
    ).fit(X, Y)
    new = RNG.normal(size=(6, 2))
    np.testing.assert_allclose(gp.predict(new), linear.predict(new), rtol=1e-8)
    np.testing.assert_allclose(gp.predict_dist(new).var, linear.predict_dist(new).var, rtol=1e-8)


def test_the_mean_minimises_squares_plus_the_norm():
    """gp.06: no other function in the span of the kernel does better."""
    model = fixed(alpha=0.3).fit(X, Y)
    K = RBF(1.0)(X)
    dual = np.linalg.solve(K, model.predict(X))

    def objective(a):
        return np.sum((Y - K @ a) ** 2) / 0.3 + a @ K @ a

    best = objective(dual)
    assert all(objective(dual + 1e-3 * RNG.normal(size=20)) > best for _ in range(20))
    np.testing.assert_allclose((K + 0.3 * np.eye(20)) @ dual, Y, rtol=1e-5)


def test_one_alpha_per_row():
    alpha = RNG.uniform(0.05, 2.0, size=20)
    model = fixed(alpha=alpha).fit(X, Y)
    wanted = RBF(1.0)(X + 0.1, X) @ np.linalg.solve(RBF(1.0)(X) + np.diag(alpha), Y)
    np.testing.assert_allclose(model.predict(X + 0.1), wanted, rtol=1e-9)


@pytest.mark.parametrize("mean", ["constant", "linear", lambda X: X])
def test_functions_in_the_basis_are_reproduced(mean):
    """Data that the mean explains leave nothing to the process, far away too."""
    y = 3 * X[:, 0] - X[:, 1] if callable(mean) else 2.0 + (X @ [1, -2] if mean == "linear" else 0)
    y = np.broadcast_to(y, 20)
    model = fixed(alpha=0.1, mean=mean).fit(X, y)
    far = 100.0 + X
    wanted = 3 * far[:, 0] - far[:, 1] if callable(mean) else None
    wanted = 2.0 + (far @ [1, -2] if mean == "linear" else 0.0) if wanted is None else wanted
    np.testing.assert_allclose(model.predict(far), np.broadcast_to(wanted, 20), rtol=1e-8)


def test_a_constant_mean_is_a_wide_constant_kernel():
    wide = fixed(RBF(1.0) + Constant(1e8), alpha=0.1).fit(X, Y + 5)
    flat = fixed(RBF(1.0), alpha=0.1, mean="constant").fit(X, Y + 5)
    for a, b in zip(wide.predict(X + 0.2, True), flat.predict(X + 0.2, True), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5)


def test_known_mean():
    known = fixed(alpha=0.1, mean=lambda X: 10 * X[:, 0]).fit(X, Y + 10 * X[:, 0])
    plain = fixed(alpha=0.1).fit(X, Y)
    np.testing.assert_allclose(known.predict(X + 1), plain.predict(X + 1) + 10 * (X[:, 0] + 1))


def test_hyper_parameters_are_found_again():
    """Data drawn from a process give back its length scales and noise."""
    rng = np.random.default_rng(3)
    points = rng.uniform(0, 10, size=(250, 1))
    truth = 2.0 * RBF(1.3) + White(0.05)
    y = np.linalg.cholesky(truth(points)) @ rng.standard_normal(250)
    model = GaussianProcessRegressor(kernel=1.0 * RBF(1.0) + White(1.0)).fit(points, y)
    found = np.exp(model.kernel_.theta)
    assert found[1] == pytest.approx(1.3, rel=0.2)
    assert found[2] == pytest.approx(0.05, rel=0.3)
    value, slope = model.log_marginal_likelihood(eval_gradient=True)
    assert value == pytest.approx(model.log_marginal_likelihood_value_)
    assert np.abs(slope).max() / 250 < 1e-4
    assert value > model.log_marginal_likelihood(truth.theta)
    level = model.predict_dist(points).interval(0.9)
    assert 0.84 < np.mean((y > level[0]) & (y < level[1])) < 0.97


def test_bad_input():
    """Duplicates, constant features, one row, indefinite kernels: an answer or a clear error."""
    twice = np.concatenate([X, X])
    model = fixed(alpha=0.0).fit(twice, np.tile(Y, 2))
    assert "are alike" in model.fit_report_.repairs[0]
    assert "RBF" in model.fit_report_.repairs[0]
    assert (model.predict(twice, return_std=True)[1] >= 0).all()
    assert np.isfinite(
        GaussianProcessRegressor().fit(np.ones((5, 2)), np.arange(5.0)).predict([[1, 1]])
    ).all()
    one = GaussianProcessRegressor().fit([[1.0, 2.0]], [3.0])
    assert one.predict([[1.0, 2.0]])[0] == pytest.approx(3.0)
    with pytest.raises(FitError, match=r"GaussianProcessRegressor: .*smallest eigenvalue -"):
        fixed(lambda A, B: -A @ B.T).fit(X, Y)
    with pytest.raises(NotFittedError):
        GaussianProcessRegressor().predict_dist(X)
    long = np.zeros((200_000, 1))
    with pytest.raises(MemoryError, match="method='variational'"):
        GaussianProcessRegressor(method="exact").fit(long, long[:, 0])


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"alpha": -1.0}, "alpha must be"),
        ({"alpha": [0.1, 0.2]}, "alpha must be a scalar or an array with same"),
        ({"alpha": np.full(20, -1.0)}, "alpha must be finite and at least 0"),
        ({"normalize_y": "yes"}, "normalize_y must be"),
        ({"method": "dense"}, "method must be"),
        ({"n_inducing": 0}, "n_inducing must be"),
        (
            {"mean": lambda X: np.random.default_rng(0).normal(size=(20, 25))},
            "mean must be a basis",
        ),
    ],
)
def test_bad_parameters(parameters, text):
    with pytest.raises(ValueError, match=f"GaussianProcessRegressor: {text}"):
        GaussianProcessRegressor(**parameters).fit(X, Y)


def test_kernels_of_objects_take_lists():
    """A kernel of strings: exact and sparse fits on a list of words."""
    words = ["aab", "abb", "bbb", "aaa", "abab", "baba", "bb", "aa", "bba", "ab"]
    share = np.array([word.count("a") / len(word) for word in words])
    for method in ("exact", "variational", "fitc"):
        model = GaussianProcessRegressor(
            kernel=Letters() + White(0.01), method=method, n_inducing=2, optimizer=None
        ).fit(words, share)
        np.testing.assert_allclose(model.predict(["aba", "b"]), [2 / 3, 0.0], atol=0.05)
        assert model.predict_dist(["aba"]).var[0] > 0
        assert model.sample_y(["a", "b"], 3).shape == (2, 3)
    with pytest.raises(ValueError, match="learn_inducing must be False for objects"):
        GaussianProcessRegressor(
            kernel=Letters() + White(0.01), method="fitc", learn_inducing=True
        ).fit(words, share)
