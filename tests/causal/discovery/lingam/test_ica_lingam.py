"""causal.11: graphs of linear non-Gaussian equations by independent components."""

import pickle

import numpy as np
import pandas as pd
import pytest
from equations import linear_world
from sklearn.base import clone

from margin.causal import DirectLiNGAM, ICALiNGAM, bootstrap_edges, structural_hamming_distance
from margin.causal.discovery._discoverer import graph_of
from margin.causal.discovery.lingam._ica_lingam import effects_of


@pytest.mark.parametrize("p", [6, 15])
def test_the_true_graph_and_its_effects(p):
    """causal.11."""
    distances = []
    for seed in range(5):
        X, effects = linear_world(p, 3000, seed, share=0.4)
        model = ICALiNGAM(random_state=seed).fit(X)
        distances.append(structural_hamming_distance(graph_of(effects, range(p)), model.graph_))
        np.testing.assert_allclose(model.adjacency_, effects, atol=0.2)
        assert model.graph_ == graph_of(model.adjacency_, range(p))
    assert sum(distances) <= 4


def test_both_ways_agree():
    X, _ = linear_world(7, 3000, 3)
    ica, direct = ICALiNGAM(random_state=1).fit(X), DirectLiNGAM().fit(X)
    assert ica.graph_ == direct.graph_
    np.testing.assert_allclose(ica.adjacency_, direct.adjacency_, atol=1e-9)


def test_as_the_other_library_on_its_own_kind_of_data():
    rng = np.random.default_rng(0)
    e = rng.uniform(size=(2000, 6))
    x3 = e[:, 3]
    x0 = 3.0 * x3 + e[:, 0]
    x2 = 6.0 * x3 + e[:, 2]
    x1 = 3.0 * x0 + 2.0 * x2 + e[:, 1]
    x5 = 4.0 * x0 + e[:, 5]
    x4 = 8.0 * x0 - 1.0 * x2 + e[:, 4]
    X = np.column_stack([x0, x1, x2, x3, x4, x5])
    lingam = pytest.importorskip("lingam")
    theirs = lingam.ICALiNGAM(random_state=0).fit(X).adjacency_matrix_
    ours = ICALiNGAM(random_state=0).fit(X).adjacency_
    np.testing.assert_array_equal(ours != 0, theirs != 0)
    np.testing.assert_allclose(ours, theirs, atol=0.1)


def test_units_and_places_of_the_columns_do_not_matter():
    X, _ = linear_world(5, 2000, 7)
    model = ICALiNGAM(random_state=0).fit(X)
    scale = np.array([1e-6, 1.0, 1e7, 3.0, 1e-3])
    scaled = ICALiNGAM(random_state=0).fit(X * scale + 5 * scale)
    assert scaled.order_ == model.order_
    units = scale[:, None] / scale
    np.testing.assert_allclose(scaled.adjacency_ / units, model.adjacency_, atol=1e-6)
    turned = ICALiNGAM(random_state=0).fit(X[:, ::-1])
    np.testing.assert_allclose(turned.adjacency_[::-1, ::-1], model.adjacency_, atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_effects_whatever_the_order_of_the_sources_and_the_units_of_the_columns(seed):
    rng = np.random.default_rng(seed)
    B = np.tril(rng.normal(size=(5, 5)), -1)
    spread = rng.uniform(0.5, 2.0, 5)
    W = (np.eye(5) - B) / spread[:, None]
    mixed = (W * rng.choice([-1, 1], 5)[:, None])[rng.permutation(5)]
    expected = B / spread[:, None] / np.sqrt((W**2).sum(axis=0))
    np.testing.assert_allclose(effects_of(mixed), expected, atol=1e-12)
    units = rng.uniform(1e-3, 1e3, 5)
    np.testing.assert_allclose(effects_of(mixed * units), expected, atol=1e-12)


def test_knowledge_and_bootstrap():
    X, effects = linear_world(4, 1000, 2)
    assert ICALiNGAM(tiers=[[3], [2], [1], [0]], random_state=0).fit(X).order_ == (3, 2, 1, 0)
    model = ICALiNGAM(required=[(0, 1)], forbidden=[(2, 3), (3, 2)], random_state=0).fit(X)
    assert (0, 1) in model.graph_.directed
    assert not {(2, 3), (3, 2)} & set(model.graph_.directed)
    shares = bootstrap_edges(ICALiNGAM(random_state=0), X, n_samples=10, random_state=0)
    assert (shares.directed[effects != 0] > 0.7).all()


def test_contract_and_refusals():
    X, _ = linear_world(3, 300, 1)
    model = clone(ICALiNGAM(random_state=4)).fit(pd.DataFrame(X, columns=list("abc")))
    assert set(model.order_) == set("abc")
    assert pickle.loads(pickle.dumps(model)).graph_ == model.graph_
    assert ICALiNGAM().fit(np.arange(5.0)[:, None]).order_ == (0,)
    with pytest.raises(ValueError, match="ICALiNGAM: fun must be one of"):
        ICALiNGAM(fun="tanh").fit(X)
    with pytest.raises(ValueError, match="ICALiNGAM: column 1 must be not constant"):
        ICALiNGAM().fit(np.array([[1.0, 2.0], [3.0, 2.0], [4.0, 2.0]]))
    with pytest.raises(ValueError, match="ICALiNGAM: X must be more rows than its 3 columns"):
        ICALiNGAM().fit(X[:3])
    with pytest.raises(ValueError, match="no combination of the columns before it"):
        ICALiNGAM().fit(np.column_stack([X, X[:, 0] - X[:, 1]]))
    with pytest.raises(ValueError, match="column 0 must be finite, or NaN where unknown"):
        ICALiNGAM().fit(np.where(np.eye(300, 3), np.inf, X))
