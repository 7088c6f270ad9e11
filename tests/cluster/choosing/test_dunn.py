"""Dunn's index."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from margin.cluster import dunn_index
from margin.cluster.choosing import _dunn

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
LABEL = RNG.integers(0, 3, 40)


@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
@pytest.mark.parametrize("block", [1, 100, 2**22])
def test_by_the_definition(metric, block, monkeypatch):
    """cluster.05: pair by pair, in any blocks."""
    monkeypatch.setattr(_dunn, "_BLOCK", block)
    D = cdist(X, X, metric)
    pairs = [(i, j) for i in range(40) for j in range(i)]
    gap = min(D[i, j] for i, j in pairs if LABEL[i] != LABEL[j])
    wide = max(D[i, j] for i, j in pairs if LABEL[i] == LABEL[j])
    assert dunn_index(X, LABEL, metric=metric) == pytest.approx(gap / wide)
    assert dunn_index(D, LABEL, metric="precomputed") == pytest.approx(gap / wide)


def test_points_without_extent_and_bad_labels():
    assert dunn_index([[0.0], [0.0], [1.0]], [0, 0, 1]) == np.inf
    with pytest.raises(ValueError, match="dunn_index: labels must be one label for each of 3"):
        dunn_index([[0.0], [0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="dunn_index: labels must be of at least 2 clusters"):
        dunn_index([[0.0], [0.0], [1.0]], [0, 0, 0])
