"""Labels from eigenvectors of graphs."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from margin.cluster.graphs._embedding import labels_by_qr, labels_by_rotation, warn_of_pieces


def test_labels_from_noisy_indicators():
    rng = np.random.default_rng(1)
    truth = rng.integers(4, size=90)
    rotation = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    V = (np.eye(4)[truth] + 0.05 * rng.normal(size=(90, 4))) @ rotation
    assert adjusted_rand_score(truth, labels_by_qr(V)) == 1.0
    assert adjusted_rand_score(truth, labels_by_rotation(V, rng)) == 1.0


def test_pieces_are_told():
    with pytest.warns(UserWarning, match="not fully connected"):
        warn_of_pieces(np.eye(2), "SpectralClustering")
