import numpy as np
import pytest
from scipy.stats import multivariate_normal

from margin.linear import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from margin.linear._generative_classifier import GenerativeClassifier


@pytest.fixture
def blobs():
    rng = np.random.default_rng(1)
    y = rng.integers(3, size=150)
    return rng.standard_normal((150, 2)) + 2.0 * y[:, None], np.array(list("abc"))[y]


@pytest.mark.parametrize("model", [LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis()])
def test_posterior_is_bayes_rule(blobs, model):
    """linear.22: predict is the argmax of prior times density, normalised."""
    X, y = blobs
    model.fit(X, y)
    covariances = model.covariance_ if model.covariance_.ndim == 3 else [model.covariance_] * 3
    joint = np.stack(
        [
            p * multivariate_normal(m, c).pdf(X)
            for p, m, c in zip(model.priors_, model.means_, covariances, strict=True)
        ],
        axis=1,
    )
    np.testing.assert_allclose(
        model.predict_proba(X), joint / joint.sum(axis=1, keepdims=True), atol=1e-12
    )
    assert (model.predict(X) == model.classes_[joint.argmax(axis=1)]).all()
    assert isinstance(model, GenerativeClassifier)


def test_confidence_is_best_minus_second_best(blobs):
    """linear.23: for two classes it is |2p - 1|."""
    X, y = blobs
    two = y != "c"
    model = LinearDiscriminantAnalysis().fit(X[two], y[two])
    p = model.predict_proba(X)[:, 1]
    np.testing.assert_allclose(model.confidence(X), np.abs(2 * p - 1), atol=1e-12)


def test_reject_option(blobs):
    """linear.24: answers only where the posterior reaches the threshold."""
    X, y = blobs
    model = LinearDiscriminantAnalysis().fit(X, y)
    answer = model.predict_or_reject(X, threshold=0.95, reject="don't know")
    sure = model.predict_proba(X).max(axis=1) >= 0.95
    assert (answer[sure] == model.predict(X)[sure]).all()
    assert (answer[~sure] == "don't know").all()
    assert 0 < sure.sum() < len(sure)
    with pytest.raises(ValueError, match="threshold must be a number between 0 and 1, got 2"):
        model.predict_or_reject(X, threshold=2)
