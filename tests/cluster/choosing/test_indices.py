"""Indices against their definitions and scikit-learn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist
from scipy.stats import norm
from sklearn.metrics import silhouette_samples

from margin.cluster import information_criterion, silhouette, squared_error

X = np.random.default_rng(0).normal(size=(40, 2))
LABELS = np.random.default_rng(1).integers(3, size=40)


def test_squared_error_by_pairs():
    """cluster.03: half the mean squared distance of all pairs within the clusters."""
    D = cdist(X, X, "sqeuclidean")
    pairs = sum(D[np.ix_(r, r)].sum() / (2 * r.sum()) for r in (c == LABELS for c in range(3)))
    assert squared_error(X, LABELS) == pytest.approx(pairs)
    times = np.arange(40) % 3
    repeated = squared_error(np.repeat(X, times, axis=0), np.repeat(LABELS, times))
    assert squared_error(X, LABELS, times) == pytest.approx(repeated)


def test_silhouette_with_both_divisors():
    """cluster.05: 0, 1 and 10, 11 give .899749 by |C| - 1 and .949875 by |C|."""
    Y, labels = [[0.0], [1.0], [10.0], [11.0]], [0, 0, 1, 1]
    assert silhouette(Y, labels) == pytest.approx(0.899749, abs=1e-6)
    assert silhouette(Y, labels, divisor="all") == pytest.approx(0.949875, abs=1e-6)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "precomputed"])
def test_silhouette_of_the_reference(metric):
    given = cdist(X, X) if metric == "precomputed" else X
    assert_allclose(
        silhouette(given, LABELS, metric=metric, average=False),
        silhouette_samples(given, LABELS, metric=metric),
    )
    alone = LABELS.copy()
    alone[0] = 9
    assert silhouette(X, alone, average=False)[0] == 0.0


def test_information_criterion_is_a_likelihood():
    """The log-likelihood of the rows, each in its own cluster, written out."""
    means = np.stack([X[c == LABELS].mean(axis=0) for c in range(3)])
    share = np.bincount(LABELS) / 40
    sd = np.sqrt(squared_error(X, LABELS) / 80)
    log = norm(means[LABELS], sd).logpdf(X).sum() + np.log(share[LABELS]).sum()
    assert information_criterion(X, LABELS) == pytest.approx(-2 * log + 9 * np.log(40))


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="silhouette: divisor must be"):
        silhouette(X, LABELS, divisor="some")
    with pytest.raises(ValueError, match="silhouette: labels must be of at least 2 clusters"):
        silhouette(X, np.zeros(40))
    with pytest.raises(ValueError, match="squared_error: labels must be one label for each"):
        squared_error(X, [0])
