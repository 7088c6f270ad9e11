"""The fit by blocks that models of prototypes share."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.cluster import HistogramClustering, KMeans, SphericalKMeans
from margin.cluster.centroids._block_model import read_blocks

X = np.random.default_rng(0).integers(0, 9, size=(60, 4)).astype(float) + 1.0
MODELS = [SphericalKMeans, HistogramClustering]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_blocks_are_fitted_as_the_table(model, dtype):
    rows = X.astype(dtype)
    whole = model(n_clusters=3, random_state=0).fit(rows)
    parts = model(n_clusters=3, random_state=0).fit_blocks([rows[:20], rows[20:]])
    assert_array_equal(parts.labels_, whole.labels_)
    assert_allclose(parts.cluster_centers_, whole.cluster_centers_, rtol=1e-5)
    assert parts.cluster_centers_.dtype == np.float64


@pytest.mark.parametrize("model", MODELS)
def test_a_failed_fit_leaves_the_model_as_it_was(model):
    fitted = model(n_clusters=2, random_state=0).fit(X)
    before = fitted.cluster_centers_
    with pytest.raises(ValueError, match="at least one block"):
        fitted.fit_blocks([])
    assert fitted.cluster_centers_ is before


def test_weights_are_told_where_they_differ():
    assert read_blocks(KMeans(), [X[:30], X[30:]])[1] is None
    weight = np.linspace(1, 2, 60)
    rows, given = read_blocks(KMeans(), [(X[:30], weight[:30]), (X[30:], weight[30:])])
    assert_array_equal(given, weight)
    assert rows.dtype == np.float64
    with pytest.raises(ValueError, match="KMeans: init must be a name or an array for blocks"):
        read_blocks(KMeans(init=lambda *_, **__: X[:2]), [X])
