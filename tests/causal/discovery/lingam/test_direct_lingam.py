"""causal.11: graphs of linear non-Gaussian equations."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import skops.io
from equations import linear_world
from sklearn.base import clone

from margin.causal import DirectLiNGAM, structural_hamming_distance
from margin.causal.discovery._discoverer import graph_of


@pytest.mark.parametrize("seed", range(5))
def test_the_true_graph_and_its_effects(seed):
    """causal.11."""
    X, effects = linear_world(6, 4000, seed)
    model = DirectLiNGAM().fit(X)
    assert structural_hamming_distance(graph_of(effects, range(6)), model.graph_) <= 1
    np.testing.assert_allclose(model.adjacency_, effects, atol=0.15)
    assert model.graph_ == graph_of(model.adjacency_, range(6))


def test_rows_scale_and_columns_in_another_order():
    X, _ = linear_world(5, 500, 7)
    model = DirectLiNGAM().fit(X)
    rng = np.random.default_rng(0)
    mixed = DirectLiNGAM(n_jobs=2).fit(X[rng.permutation(500)])
    assert mixed.order_ == model.order_
    np.testing.assert_allclose(mixed.adjacency_, model.adjacency_, atol=1e-9)
    scale = np.array([1e-9, 1.0, 1e7, 3.0, 1e-3])
    scaled = DirectLiNGAM().fit(X * scale + 5 * scale)
    assert scaled.graph_ == model.graph_
    units = scale[:, None] / scale
    np.testing.assert_allclose(scaled.adjacency_ / units, model.adjacency_, atol=1e-6)
    turned = DirectLiNGAM().fit(X[:, ::-1])
    assert [4 - i for i in turned.order_] == list(model.order_)


def test_frames_pickles_and_files():
    X, _ = linear_world(4, 300, 1)
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = clone(DirectLiNGAM()).fit(frame)
    assert set(model.order_) == set("abcd")
    assert DirectLiNGAM().fit(pl.from_pandas(frame)).graph_ == model.graph_
    np.testing.assert_allclose(
        DirectLiNGAM().fit(X.astype(np.float32)).adjacency_, model.adjacency_, atol=1e-3
    )
    assert pickle.loads(pickle.dumps(model)).graph_ == model.graph_
    saved = skops.io.dumps(model)
    loaded = skops.io.loads(saved, trusted=skops.io.get_untrusted_types(data=saved))
    assert loaded.graph_ == model.graph_


def test_knowledge_and_complete_graphs():
    X, _ = linear_world(4, 300, 2)
    tiers = [[3], [2], [1], [0]]
    assert DirectLiNGAM(tiers=tiers).fit(X).order_ == (3, 2, 1, 0)
    assert len(DirectLiNGAM(prune=None).fit(X).graph_.directed) == 6
    model = DirectLiNGAM(required=[(0, 1)], forbidden=[(2, 3), (3, 2)]).fit(X)
    assert (0, 1) in model.graph_.directed
    assert not {(2, 3), (3, 2)} & set(model.graph_.directed)


def test_one_column_and_refusals():
    one = DirectLiNGAM().fit(np.arange(5.0)[:, None])
    assert (one.order_, one.graph_.directed) == ((0,), ())
    with pytest.raises(ValueError, match="DirectLiNGAM: prune must be one of"):
        DirectLiNGAM(prune="aic").fit(np.eye(3))
    fitted = clone(one).fit(np.arange(5.0)[:, None])
    with pytest.raises(ValueError, match="DirectLiNGAM: column 1 must be not constant"):
        fitted.fit(np.array([[1.0, 2.0], [3.0, 2.0], [4.0, 2.0]]))
    assert fitted.n_features_in_ == 1
    with pytest.raises(ValueError, match="DirectLiNGAM: required must be pairs"):
        DirectLiNGAM(required=[("a", "b")]).fit(np.random.default_rng(0).random((9, 2)))
