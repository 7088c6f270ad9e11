"""How many starts, and words."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

from margin.cluster import (
    BisectingKMeans,
    HistogramClustering,
    KernelKMeans,
    KMeans,
    KMedoids,
    MiniBatchKMeans,
    SpectralClustering,
    SphericalKMeans,
)
from margin.cluster.centroids._restarts import Speaker, mean_variance, n_starts, told_of_few
from margin.core import Solution, Status

KIN = (
    BisectingKMeans, HistogramClustering, KernelKMeans, KMeans, KMedoids, MiniBatchKMeans,
    SpectralClustering, SphericalKMeans,
)  # fmt: skip


def test_number_of_starts():
    assert n_starts("KMeans", "k-means++", "auto", 10) == 1
    assert n_starts("KMeans", "random", "auto", 10) == 10
    assert n_starts("KMeans", [[0.0]], "auto", 10) == 1
    assert n_starts("KMeans", "random", 4, 10) == 4
    with pytest.raises(ValueError, match="KMeans: n_init must be"):
        n_starts("KMeans", "random", 0, 10)
    with pytest.warns(RuntimeWarning, match="performing only one init"):
        assert n_starts("KMeans", [[0.0]], 3, 10) == 1


def test_more_starts_are_no_worse():
    X = np.random.default_rng(0).normal(size=(200, 2))
    errors = [
        KMeans(8, init="random", n_init=n, random_state=3).fit(X).inertia_ for n in (1, 4, 12)
    ]
    assert errors[0] >= errors[1] >= errors[2]


def test_unit_of_the_tolerance():
    X = np.random.default_rng(0).normal(size=(50, 3))
    assert mean_variance(X) == pytest.approx(X.var(axis=0).mean())
    assert mean_variance(csr_array(X)) == pytest.approx(mean_variance(X))


def test_silence_and_speech(capsys):
    Speaker(0).say("nothing")
    Speaker(1).say("something")
    assert capsys.readouterr().out == "something\n"
    assert Speaker(0).callback() is None


@pytest.mark.parametrize("method", KIN, ids=lambda c: c.__name__)
@pytest.mark.parametrize("distinct", [1, 2])
def test_clusters_that_duplicate_rows_cannot_fill_are_told_of(method, distinct):
    """Equal rows share a label, and fewer clusters than asked for is said."""
    X = np.repeat([[1.0, 2.0], [6.0, 1.0]][:distinct], 10, axis=0)
    with pytest.warns(ConvergenceWarning, match=rf"{method.__name__}: Number of distinct clusters"):
        model = method(n_clusters=3, random_state=0).fit(X)
    assert model.fit_report_.repairs[-1].startswith(f"{3 - distinct} of 3 clusters have no rows")
    assert all(len(set(part)) == 1 for part in np.split(model.labels_, distinct))
    assert len(set(model.labels_)) == distinct


def test_enough_clusters_are_not_spoken_of():
    found = Solution(np.zeros(1), Status.CONVERGED, 1, 0.0)
    assert told_of_few("KMeans", found, np.array([1, 0, 1]), 2) is found
