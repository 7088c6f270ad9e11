"""What learners share."""

import numpy as np
import pandas as pd

from margin.causal import CausalGraph, DirectLiNGAM
from margin.causal.discovery._discoverer import graph_of


def test_arrows_point_from_columns_to_rows():
    effects = np.array([[0, 0, 2.0], [1.0, 0, 0], [0, 0, 0]])
    assert graph_of(effects, list("abc")) == CausalGraph(list("abc"), [("c", "a"), ("a", "b")])


def test_names_are_forgotten_with_the_frame():
    X = np.random.default_rng(0).uniform(size=(50, 2))
    model = DirectLiNGAM().fit(pd.DataFrame(X, columns=["a", "b"]))
    assert list(model.feature_names_in_) == ["a", "b"]
    assert not hasattr(model.fit(X), "feature_names_in_")
