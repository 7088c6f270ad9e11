"""Fit, evaluate, choose."""

import matplotlib as mpl
import numpy as np
import pytest

from margin.cluster import DBSCAN, AgglomerativeClustering, KMeans, choose_k
from margin.cluster.choosing._choose_k import RULES
from margin.mixture import BayesianGaussianMixture, GaussianMixture


def blobs():
    rng = np.random.default_rng(0)
    centres = np.array([[0, 0], [14, 0], [0, 14], [14, 14]])
    return rng.normal(size=(100, 2)) + np.repeat(centres, 25, axis=0)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_finds_the_planted_number(rule):
    """cluster.06: the loop with every rule; cluster.05 and cluster.04: silhouette and elbow."""
    found = choose_k(blobs(), KMeans(n_init=5, random_state=0), range(1, 8), rule=rule)
    assert found.k == 4
    assert found.reason
    assert len(found.estimator.cluster_centers_) == 4
    assert found.numbers == tuple(range(1, 8))


def test_any_clusterer_and_picture():
    mpl.use("Agg")
    found = choose_k(blobs(), AgglomerativeClustering(linkage="average"))
    ax = found.plot()
    assert found.k == 4
    assert ax.get_title() == "k = 4"
    assert "largest mean silhouette" in repr(found)
    mpl.pyplot.close(ax.figure)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="choose_k: rule must be one of"):
        choose_k(blobs(), KMeans(), rule="eye")
    with pytest.raises(ValueError, match="choose_k: k must be rising integers from 1 to 100"):
        choose_k(blobs(), KMeans(), [3, 2])


@pytest.mark.parametrize("rule", ["silhouette", "bic", "stability", "gap", "dunn"])
def test_mixtures_have_components(rule):
    """cluster.06: the number may be called n_components, and labels may be predictions."""
    model = GaussianMixture(random_state=0, covariance_type="spherical")
    found = choose_k(blobs(), model, range(2, 6), rule=rule)
    assert found.k == 4
    assert found.estimator.n_components == 4
    if rule == "bic":  # of the mixture itself
        assert found.value[2] == pytest.approx(found.estimator.bic(blobs()))
    bayes = BayesianGaussianMixture(random_state=0)
    assert choose_k(blobs(), bayes, [4], rule="silhouette").k == 4


def test_an_estimator_without_a_number_is_refused():
    with pytest.raises(ValueError, match="choose_k: estimator must be an estimator with n_clus"):
        choose_k(blobs(), DBSCAN())
