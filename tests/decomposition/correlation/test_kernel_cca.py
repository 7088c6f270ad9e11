import numpy as np
import pytest

from margin.decomposition import CCA, KernelCCA
from margin.kernels import Polynomial

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(30, 3)), RNG.normal(size=(30, 2))


def test_linear_kernels_are_the_primal_problem():
    """decomposition.11: with linear kernels the functions are the directions."""
    linear = CCA(2, alpha=0.2).fit(X, Y)
    dual = KernelCCA(n_components=2, kernel="linear", alpha=0.2).fit(X, Y)
    np.testing.assert_allclose(dual.correlations_, linear.correlations_, rtol=1e-8)
    new = RNG.normal(size=(5, 3))
    ours, theirs = dual.transform(new), linear.transform(new)
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), rtol=1e-8)
    both = dual.transform(X, Y)
    np.testing.assert_allclose(np.abs(both[1]), np.abs(linear.transform(X, Y)[1]), rtol=1e-7)


def test_finds_what_is_not_linear():
    x = np.linspace(-2, 2, 60)[:, None]
    y = x**2 + 0.05 * RNG.normal(size=x.shape)
    assert abs(CCA(1).fit(x, y).correlations_[0]) < 0.2
    model = KernelCCA(n_components=1, kernel=Polynomial(degree=2), alpha=1e-3).fit(x, y)
    assert model.correlations_[0] > 0.98
    assert model.score(x, y) > 0.95


def test_objective_is_stationary():
    """The regularised correlation is no larger for functions nearby."""
    model = KernelCCA(n_components=1, alpha=0.3).fit(X, Y)
    f, g = model.x_dual_coef_[:, 0], model.y_dual_coef_[:, 0]
    Z, T = (X - X.mean(0)) / X.std(0), (Y - Y.mean(0)) / Y.std(0)
    C = np.eye(30) - 1 / 30
    K = C @ np.exp(-((Z[:, None] - Z) ** 2).sum(-1) / 3) @ C
    L = C @ T @ T.T @ C

    def value(f, g):
        top = f @ K @ L @ g / 30
        sizes = [h @ (M @ M / 30 + 0.3 * M) @ h for h, M in ((f, K), (g, L))]
        return top / np.sqrt(sizes[0] * sizes[1])

    assert value(f, g) == pytest.approx(model.correlations_[0])
    for _ in range(20):
        assert value(f + 0.01 * RNG.normal(size=30), g) <= model.correlations_[0] + 1e-12


def test_bad_input():
    with pytest.raises(ValueError, match="KernelCCA: alpha must be a number above 0, got 0"):
        KernelCCA(alpha=0).fit(X, Y)
    with pytest.raises(ValueError, match="KernelCCA: y_kernel must be a Kernel"):
        KernelCCA(y_kernel="bent").fit(X, Y)


def test_large_targets_are_predicted():
    X = np.random.default_rng(0).normal(size=(30, 2))
    large, usual = KernelCCA().fit(X, 1e300 * X[:, 0]), KernelCCA().fit(X, X[:, 0])
    np.testing.assert_allclose(large.predict(X) / 1e300, usual.predict(X), atol=1e-9)
