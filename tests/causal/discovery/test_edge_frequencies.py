"""Confidence in edges by drawing rows again."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from equations import linear_world

from margin.causal import DirectLiNGAM, bootstrap_edges
from margin.graphical import PC


def test_strong_arrows_come_back():
    X, effects = linear_world(4, 1500, 3)
    found = bootstrap_edges(DirectLiNGAM(), X, n_samples=15, random_state=0)
    assert found.n_samples == 15
    assert (found.directed[effects != 0] > 0.8).all()
    np.testing.assert_array_equal(found.joined, found.joined.T)
    # An arrow has one direction in one sample.
    np.testing.assert_allclose(found.directed + found.directed.T, found.joined)
    shares = [share for *_, share in found.arrows(0.0)]
    assert shares == sorted(shares, reverse=True)


def test_containers_and_undirected_edges():
    X = np.random.default_rng(0).normal(size=(200, 2))
    X[:, 1] += X[:, 0]
    frame = pd.DataFrame(X, columns=["a", "b"])
    array = bootstrap_edges(PC(), X, n_samples=4, random_state=1)
    assert array.joined[0, 1] == 1.0
    assert not array.directed.any()  # Gaussian columns do not tell the direction
    for table in (frame, pl.from_pandas(frame)):
        again = bootstrap_edges(PC(), table, n_samples=4, random_state=1)
        assert again.names == ("a", "b")
        np.testing.assert_array_equal(again.joined, array.joined)


def test_refusal():
    with pytest.raises(ValueError, match="n_samples must be an integer of at least 1, got 0"):
        bootstrap_edges(PC(), np.eye(3), n_samples=0)
