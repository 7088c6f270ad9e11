"""How many starts, and words."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from margin.cluster import KMeans
from margin.cluster.centroids._restarts import Speaker, mean_variance, n_starts


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
