"""Gaussian process classification as a user meets it (gp.12, gp.13)."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit, log_ndtr, ndtr
from scipy.stats import norm

from margin.core import FitError
from margin.gp import GaussianProcessClassifier
from margin.kernels import RBF

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))
SIGNAL = X[:, 0] + 0.4 * RNG.normal(size=40)
TWO = np.where(SIGNAL > 0, "yes", "no")
THREE = np.array(["low", "mid", "top"])[np.digitize(SIGNAL, [-0.5, 0.5])]
WAYS = [("logistic", "laplace"), ("probit", "laplace"), ("logistic", "ep"), ("probit", "ep")]


@pytest.mark.parametrize(("likelihood", "inference"), WAYS)
@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
def test_every_way_learns(likelihood, inference, y):
    model = GaussianProcessClassifier(
        kernel=1.0 * RBF(2.0), likelihood=likelihood, inference=inference, tol=1e-4
    ).fit(X, y)
    assert model.score(X, y) > 0.8
    prob = model.predict_proba(X)
    np.testing.assert_allclose(prob.sum(axis=1), 1.0)
    far = model.predict_proba([[500.0, 500.0]])[0]
    np.testing.assert_allclose(far, 1 / len(model.classes_), atol=1e-3)
    value, slope = model.log_marginal_likelihood(eval_gradient=True)
    assert value == pytest.approx(model.log_marginal_likelihood_value_)
    assert np.abs(slope).max() / 40 <= 1.01e-4


def test_the_decision_is_the_sign_of_the_latent_mean():
    for likelihood, inference in WAYS:
        model = GaussianProcessClassifier(
            kernel=4.0 * RBF(1.0), likelihood=likelihood, inference=inference, optimizer=None
        ).fit(X, TWO)
        new = RNG.normal(size=(100, 2))
        mean, var = model.latent_mean_and_variance(new)
        assert (var > 0).all()
        np.testing.assert_array_equal(model.predict(new) == "yes", mean > 0)


def by_hand(kernel, t, new, slope):
    """Mode, latent mean and variance by plain inverses, in none of the forms of the library.

    Newton's method on ``log p(y | f) - f' K^-1 f / 2``; ``slope`` is that of the log link.
    """
    K, cross = kernel(FEW), kernel(new, FEW)
    inverse, f, h = np.linalg.inv(K), np.zeros(len(t)), 1e-5
    for _ in range(100):
        gradient = t * slope(t * f)
        curvature = -(slope(t * f + h) - slope(t * f - h)) / (2 * h)
        f = f + np.linalg.solve(inverse + np.diag(curvature), gradient - inverse @ f)
    mean = cross @ inverse @ f
    spread = np.linalg.inv(K + np.diag(1.0 / curvature))
    return mean, kernel.diag(new) - np.einsum("ij,jk,ik->i", cross, spread, cross)


def average(link, mean, var):
    """Probability of the label one by an adaptive integral over the latent value."""
    std = np.sqrt(var)

    def integrand(z):
        return link(mean + std * z) * np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi)

    return quad(integrand, -12, 12, epsabs=1e-12, limit=200)[0]


FEW = np.array([[-2.0], [-1.1], [-0.3], [0.4], [1.2], [2.5]])
SIGNS = np.array([-1.0, -1.0, 1.0, -1.0, 1.0, 1.0])
LINKS = {
    "logistic": (expit, lambda z: expit(-z)),
    "probit": (ndtr, lambda z: np.exp(norm.logpdf(z) - log_ndtr(z))),
}


@pytest.mark.parametrize("likelihood", LINKS)
def test_predictions_step_by_step(likelihood):
    """gp.13: latent mean, latent variance, the integral in one dimension, the decision."""
    kernel, new = 3.0 * RBF(1.2), np.linspace(-4, 5, 25)[:, None]
    link, slope = LINKS[likelihood]
    model = GaussianProcessClassifier(kernel=kernel, likelihood=likelihood, optimizer=None)
    model.fit(FEW, np.where(SIGNS > 0, "yes", "no"))
    mean, var = by_hand(kernel, SIGNS, new, slope)
    latent = model.latent_mean_and_variance(new)
    np.testing.assert_allclose(latent[0], mean, atol=1e-8)
    np.testing.assert_allclose(latent[1], var, rtol=1e-7)
    prob = model.predict_proba(new)
    wanted = [average(link, m, v) for m, v in zip(mean, var, strict=True)]
    np.testing.assert_allclose(prob[:, 1], wanted, atol=1e-8)
    np.testing.assert_allclose(prob[:, 0], 1.0 - prob[:, 1], atol=1e-12)
    np.testing.assert_array_equal(model.predict(new) == "yes", mean > 0)
    if likelihood == "probit":
        np.testing.assert_allclose(prob[:, 1], ndtr(mean / np.sqrt(1.0 + var)), atol=1e-8)
    # What is not known pulls towards one half: the link of the mean is too sure, on its side.
    sure = link(mean)
    clear = np.abs(mean) > 1e-3
    assert (np.abs(prob[clear, 1] - 0.5) < np.abs(sure[clear] - 0.5)).all()
    assert (np.sign(prob[clear, 1] - 0.5) == np.sign(mean[clear])).all()


def test_the_variance_is_not_that_of_known_latent_values():
    """gp.13: labels tell less than values, k' (K + 1/W)^-1 k and not k' K^-1 k."""
    kernel, new = 3.0 * RBF(1.2), np.linspace(-3, 3, 9)[:, None]
    model = GaussianProcessClassifier(kernel=kernel, optimizer=None).fit(FEW, SIGNS)
    _, var = model.latent_mean_and_variance(new)
    cross = kernel(new, FEW)
    known = 3.0 - np.einsum("ij,jk,ik->i", cross, np.linalg.inv(kernel(FEW)), cross)
    assert (var > known + 0.1).all()
    assert (var < 3.0).all()


@pytest.mark.parametrize("likelihood", LINKS)
def test_predictions_against_the_integral_over_all_latent_values(likelihood):
    """gp.13: the exact predictive probability of a tiny problem, by brute force."""
    kernel, new = 2.0 * RBF(1.0), np.array([[-0.8], [0.1], [1.5]])
    few, t, link = np.array([[-1.0], [0.5]]), np.array([-1.0, 1.0]), LINKS[likelihood][0]
    z = np.linspace(-7, 7, 57)
    grid = np.stack(np.meshgrid(z, z, z, indexing="ij"), axis=-1).reshape(-1, 3)
    weight = np.exp(-0.5 * np.sum(grid**2, axis=1))
    errors = {}
    for inference in ("laplace", "ep"):
        model = GaussianProcessClassifier(
            kernel=kernel, likelihood=likelihood, inference=inference, optimizer=None
        ).fit(few, t)
        errors[inference] = 0.0
        for point in new:
            f = grid @ np.linalg.cholesky(kernel(np.vstack([few, point])) + 1e-12 * np.eye(3)).T
            posterior = weight * link(t[0] * f[:, 0]) * link(t[1] * f[:, 1])
            exact = float(posterior @ link(f[:, 2]) / posterior.sum())
            error = abs(model.predict_proba([point])[0, 1] - exact)
            errors[inference] = max(errors[inference], error)
    assert errors["ep"] < 5e-3
    assert errors["laplace"] < 0.04
    assert errors["ep"] < errors["laplace"]


def test_both_links_and_both_approximations_nearly_agree():
    def prob(kernel, likelihood, inference):
        return (
            GaussianProcessClassifier(
                kernel=kernel, likelihood=likelihood, inference=inference, optimizer=None
            )
            .fit(X, TWO)
            .predict_proba(X)[:, 1]
        )

    # The logistic is close to the probit of 0.6 of its argument.
    ep = prob(9.0 * RBF(1.0), "logistic", "ep")
    np.testing.assert_allclose(prob(9.0 * RBF(1.0), "logistic", "laplace"), ep, atol=0.1)
    np.testing.assert_allclose(prob(0.36 * 9.0 * RBF(1.0), "probit", "ep"), ep, atol=0.02)


def test_softmax_and_one_vs_rest_nearly_agree():
    ways = [
        GaussianProcessClassifier(kernel=4.0 * RBF(1.0), optimizer=None, multi_class=way)
        .fit(X, THREE)
        .predict_proba(X)
        for way in ("softmax", "one_vs_rest")
    ]
    np.testing.assert_allclose(*ways, atol=0.2)


def test_precomputed_and_functions():
    kernel, new = 4.0 * RBF(1.0), X[:5] + 0.1
    plain = GaussianProcessClassifier(kernel=kernel, optimizer=None).fit(X, TWO)
    given = GaussianProcessClassifier(kernel="precomputed").fit(kernel(X), TWO)
    own = GaussianProcessClassifier(kernel=lambda A, B: kernel(A, B)).fit(X, TWO)
    wanted = plain.predict_proba(new)
    cross = kernel(new, X)
    np.testing.assert_allclose(given.predict_proba(cross, prior=np.full(5, 4.0)), wanted, rtol=1e-9)
    np.testing.assert_allclose(own.predict_proba(new), wanted, rtol=1e-9)
    with pytest.raises(ValueError, match="prior must be an array"):
        given.predict_proba(cross)


def test_awkward_tables():
    """Repeated rows, constant columns: finite probabilities; contradictions are uncertain."""
    same = GaussianProcessClassifier().fit(np.ones((6, 2)), [0, 1, 0, 1, 0, 1])
    np.testing.assert_allclose(same.predict_proba([[1.0, 1.0]]), 0.5, atol=1e-6)
    twice = GaussianProcessClassifier().fit(np.tile(X, (2, 1)), np.tile(TWO, 2))
    assert twice.score(X, TWO) > 0.8


def test_bad_input():
    with pytest.raises(ValueError, match="at least 2 classes"):
        GaussianProcessClassifier().fit(X, np.full(40, "only"))
    with pytest.raises(ValueError, match="multi_class must be"):
        GaussianProcessClassifier(multi_class="softmax", likelihood="probit").fit(X, THREE)
    with pytest.raises(FitError, match=r"GaussianProcessClassifier: .* must be positive definite"):
        GaussianProcessClassifier(kernel=lambda A, B: -9.0 * A @ B.T).fit(X, TWO)
    with pytest.raises(MemoryError, match="rows needs about"):
        GaussianProcessClassifier().fit(np.zeros((200_000, 1)), np.arange(200_000) % 2)
