"""Classes as probabilistic PCAs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal
from sklearn.datasets import load_digits, load_iris

from margin.decomposition import ProbabilisticPCA, ProbabilisticPCAClassifier

X, y = load_iris(return_X_y=True)
RNG = np.random.default_rng(0)
GAPS = X.copy()
GAPS[RNG.random(X.shape) < 0.2] = np.nan


@pytest.mark.parametrize("table", [X, GAPS])
def test_bayes_rule_of_class_densities(table):
    """decomposition.08: one probabilistic PCA per class, with gaps."""
    model = ProbabilisticPCAClassifier(n_components=1).fit(table, y)
    parts = [ProbabilisticPCA(n_components=1).fit(table[y == k]) for k in range(3)]
    joint = np.column_stack([part.score_samples(table) for part in parts])
    odds = np.exp(joint - joint.max(axis=1, keepdims=True))
    tolerance = 1e-9 if table is X else 2e-2  # other first loadings, another end of EM
    assert_allclose(
        model.predict_proba(table), odds / odds.sum(axis=1, keepdims=True), atol=tolerance
    )
    assert model.score(table, y) > 0.9


def test_full_rank_is_the_quadratic_discriminant():
    """decomposition.08: with p - 1 components nothing is left out of the covariance."""
    model = ProbabilisticPCAClassifier(n_components=3).fit(X, y)
    joint = np.column_stack(
        [
            multivariate_normal(X[y == k].mean(axis=0), np.cov(X[y == k].T, bias=True)).logpdf(X)
            for k in range(3)
        ]
    )
    assert_allclose(model.log_joint(X), joint + np.log(1 / 3), rtol=1e-8)


def test_digits():
    """decomposition.08: singular class covariances are no obstacle."""
    digits, labels = load_digits(return_X_y=True)
    model = ProbabilisticPCAClassifier(n_components=10).fit(digits[:1000], labels[:1000])
    assert model.score(digits[1000:], labels[1000:]) > 0.95


def test_weights_and_priors():
    count = RNG.integers(0, 3, len(X))
    one = ProbabilisticPCAClassifier(n_components=2).fit(X, y, sample_weight=count)
    many = ProbabilisticPCAClassifier(n_components=2).fit(
        np.repeat(X, count, axis=0), np.repeat(y, count)
    )
    assert_allclose(one.predict_proba(X), many.predict_proba(X), atol=1e-7)
    sure = ProbabilisticPCAClassifier(priors=[1, 0, 0]).fit(X, y)
    assert (sure.predict(X) == 0).all()
    with pytest.raises(ValueError, match="ProbabilisticPCAClassifier: priors must be"):
        ProbabilisticPCAClassifier(priors=[1, 0]).fit(X, y)


def test_small_classes_take_fewer_components():
    rows = np.r_[X[:30], X[50:52]]
    model = ProbabilisticPCAClassifier(n_components=3).fit(rows, y[np.r_[0:30, 50:52]])
    assert model.loadings_[1].shape == (1, 4)
    assert "class 1 has 1 components" in model.fit_report_.notes[0]
    assert np.isfinite(model.predict_proba(X)).all()


def test_a_class_that_never_shows_a_column():
    table = X.copy()
    table[y == 0, 2] = np.nan
    model = ProbabilisticPCAClassifier(n_components=1).fit(table, y)
    assert np.isfinite(model.predict_proba(X)).all()
    assert "never shows" in " ".join(model.fit_report_.repairs)


def test_samples():
    model = ProbabilisticPCAClassifier(n_components=2).fit(X, y)
    rows, labels = model.sample(30_000, random_state=0)
    for k in range(3):
        assert_allclose(rows[labels == k].mean(axis=0), X[y == k].mean(axis=0), atol=0.03)
    assert_allclose(model.score_samples(X).mean(), model.score_samples(rows).mean(), atol=0.2)
    assert model.predict_or_reject(X, threshold=1.0, reject=-1)[0] in (-1, 0)
    assert (model.confidence(X) >= 0).all()


def test_variances_that_are_no_numbers_are_refused():
    X = np.full((20, 3), 1e300)
    X[::2] *= 1 + 1e-12
    with (
        np.errstate(all="ignore"),
        pytest.raises(ValueError, match=r"^ProbabilisticPCAClassifier: X must be scaled so that"),
    ):
        ProbabilisticPCAClassifier(n_components=1).fit(X, np.arange(20) % 2)
