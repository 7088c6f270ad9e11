"""Models of centres never hold a table of rows, centres and columns."""

import tracemalloc
import warnings

import numpy as np
import pytest

from margin.cluster import KMeans
from margin.mixture import GaussianMixture

N, D, K = 50_000, 8, 20
X = np.random.default_rng(0).normal(size=(N, D))
MODELS = {
    "k-means": lambda: KMeans(K, max_iter=3, random_state=0),
    "hamerly": lambda: KMeans(K, algorithm="hamerly", max_iter=3, random_state=0),
    **{
        kind: lambda kind=kind: GaussianMixture(K, covariance_type=kind, max_iter=3, random_state=0)
        for kind in ("full", "tied", "diag", "spherical")
    },
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("blocks", [False, True])
def test_the_peak_is_a_few_times_the_table(name, blocks):
    """mixture.02, cluster.01: n × k × d numbers would be twenty times the table."""
    model, parts = MODELS[name](), np.array_split(X, 16)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tracemalloc.start()
        try:
            model.fit_blocks(parts) if blocks else model.fit(X)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < 4 * X.nbytes
