"""Gaussian process classification as a user meets it (gp.12, gp.13)."""

import numpy as np
import pytest

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
