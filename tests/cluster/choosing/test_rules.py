"""Rules on curves and data with a known number of clusters."""

import numpy as np
import pytest

from margin.cluster import KMeans, elbow, gap_statistic, stability


def blobs(k, n=30, apart=15):
    rng = np.random.default_rng(k)
    angle = 2 * np.pi * np.arange(k) / k
    centres = apart * np.column_stack([np.cos(angle), np.sin(angle)])
    return rng.normal(size=(k * n, 2)) + np.repeat(centres, n, axis=0)


@pytest.mark.parametrize("by", ["distance", "angle"])
def test_elbow_of_a_broken_line(by):
    """cluster.04: two straight pieces meet at the elbow, by angle or distance, in any unit."""
    k = np.arange(1, 10)
    error = np.where(k < 4, 100 - 30 * (k - 1), 10 - (k - 4) * 0.5)
    assert elbow(k, error, by=by) == 4
    assert elbow(k, 1e9 * error + 7, by=by) == 4


def test_elbow_refuses_what_is_no_curve():
    with pytest.raises(ValueError, match="elbow: k must be at least 3 rising numbers"):
        elbow([1, 2], [3.0, 1.0])
    with pytest.raises(ValueError, match="elbow: by must be"):
        elbow([1, 2, 3], [3.0, 1.0, 0.5], by="eye")


@pytest.mark.parametrize("k", [1, 3])
def test_gap_finds_the_planted_number(k):
    """cluster.06: also that there is only one cluster, which no silhouette can tell."""
    found = gap_statistic(blobs(k), KMeans(n_init=3, random_state=0), range(1, 5), n_references=5)
    assert found.k == k
    assert found.gap.shape == found.error.shape == (4,)


def test_stability_of_right_and_wrong_numbers():
    X, model = blobs(3), KMeans(n_init=3, random_state=0)
    assert stability(X, model, 3, n_pairs=4) == 1.0
    assert stability(X, model, 7, n_pairs=4) < 0.95
    with pytest.raises(ValueError, match="stability: fraction must be"):
        stability(X, model, 3, fraction=0.0)
