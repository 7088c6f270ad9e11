"""Softmax regression as an undirected model with one potential per feature (linear.35)."""

from itertools import product

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression as Peer

from margin.graphical import MarkovNetwork
from margin.linear import LinearDiscriminantAnalysis, LogisticRegression, LogLinearForm


def sample(n_classes, n=150, p=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    scores = X @ rng.normal(size=(p, n_classes)) + rng.gumbel(size=(n, n_classes))
    return X, np.array(list("abcd"))[scores.argmax(axis=1)]


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("model", [LogisticRegression(), LinearDiscriminantAnalysis(), Peer()])
def test_product_of_potentials_is_the_posterior(n_classes, model):
    """linear.35: multiplied out, class by class, and normalised."""
    X, y = sample(n_classes)
    form = LogLinearForm.of(model.fit(X, y))
    psi = np.exp(form.log_potentials(X[:5]))
    assert psi.shape == (5, 4, n_classes)
    joint = psi.prod(axis=1)
    wanted = model.predict_proba(X[:5])
    np.testing.assert_allclose(joint / joint.sum(axis=1, keepdims=True), wanted, atol=1e-12)
    np.testing.assert_allclose(np.exp(form.log_prob(X[:5])), wanted, atol=1e-12)
    np.testing.assert_allclose(np.exp(form.log_partition(X[:5])), joint.sum(axis=1))


def test_conditional_of_the_undirected_model():
    """linear.35: with features 0 and 1, p(y | x) of the Markov network is the regression."""
    rng = np.random.default_rng(1)
    X = rng.integers(2, size=(300, 3)).astype(float)
    y = (X @ [1.5, -2.0, 0.5] + rng.logistic(size=300) > 0).astype(int)
    model = LogisticRegression().fit(X, y)
    form = LogLinearForm.of(model)
    network = MarkovNetwork(
        [(["y", f"x{m}"], np.exp(np.outer(form.weights[:, m + 1], [0.0, 1.0]))) for m in range(3)]
        + [(["y"], np.exp(form.weights[:, 0]))]
    )
    for row in product((0, 1), repeat=3):
        answer = network.query("y", evidence={f"x{m}": v for m, v in enumerate(row)})
        np.testing.assert_allclose(
            np.ravel(answer.values), model.predict_proba([row])[0], atol=1e-12
        )


def test_expected_features_match_at_the_maximum():
    """linear.35: the gradient of a log-linear model is observed minus expected features."""
    X, y = sample(3)
    model = LogisticRegression(C=np.inf, tol=1e-10).fit(X, y)
    form = LogLinearForm.of(model)
    observed = form.features(X, y).sum(axis=0)
    share = np.exp(form.log_prob(X))
    expected = sum(
        np.einsum("i,ikm->km", share[:, k], form.features(X, np.full(len(y), label)))
        for k, label in enumerate(form.classes)
    )
    np.testing.assert_allclose(observed, expected, atol=1e-5)


def test_refusals():
    words = "LogLinearForm: model must be a fitted model with classes_"
    with pytest.raises(ValueError, match=words):
        LogLinearForm.of(LogisticRegression())
    X, y = sample(3)
    form = LogLinearForm.of(LogisticRegression().fit(X, y))
    with pytest.raises(ValueError, match=r"LogLinearForm: X must be of shape \(n, 3\)"):
        form.log_potentials([[1.0]])
