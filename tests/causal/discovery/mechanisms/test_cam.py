"""Causal additive models."""

import pickle

import numpy as np
import pandas as pd
import pytest
from equations import linear_world, smooth_world

from margin.causal import CAM, RESIT, bootstrap_edges, structural_hamming_distance
from margin.causal.discovery._discoverer import graph_of


@pytest.mark.parametrize(("p", "share"), [(6, 0.35), (15, 0.15)])
def test_the_true_graph(p, share):
    distances = []
    for seed in range(5):
        X, arrows = smooth_world(p, 800, seed, share)
        model = CAM().fit(X)
        distances.append(structural_hamming_distance(graph_of(arrows, range(p)), model.graph_))
        place = {name: at for at, name in enumerate(model.order_)}
        assert all(place[j] < place[i] for j, i in model.graph_.directed)
    assert sum(distances) <= 5


def test_units_and_places_do_not_matter():
    X, _ = smooth_world(6, 400, 2)
    model = CAM().fit(X)
    scale = np.array([1e-6, 1.0, 1e6, 3.0, 1e3, 1e-3])
    assert CAM().fit(X * scale - scale).graph_ == model.graph_
    turned = CAM().fit(X[:, ::-1])
    np.testing.assert_array_equal(turned.adjacency_[::-1, ::-1], model.adjacency_)


def test_agrees_with_tests_of_residuals():
    X, _ = smooth_world(4, 400, 3)
    assert CAM().fit(X).graph_ == RESIT().fit(X).graph_


def test_knowledge_and_bootstrap():
    X, arrows = smooth_world(4, 400, 1, share=0.6)
    tiers = [[3], [2], [1], [0]]
    assert CAM(tiers=tiers).fit(X).order_ == (3, 2, 1, 0)
    model = CAM(required=[(0, 1)], forbidden=[(2, 3), (3, 2)]).fit(X)
    assert (0, 1) in model.graph_.directed
    assert not {(2, 3), (3, 2)} & set(model.graph_.directed)
    shares = bootstrap_edges(CAM(), X, n_samples=10, random_state=0)
    assert shares.directed[arrows != 0].mean() > 0.75
    assert shares.directed[arrows == 0].mean() < 0.1


def test_straight_lines_with_normal_noise_are_noted():
    X, _ = linear_world(3, 500, 3, noise="normal", share=1.0)
    model = CAM().fit(X)
    assert "may point either way" in " ".join(model.fit_report_.notes)
    assert CAM().fit(smooth_world(3, 500, 1, share=1.0)[0]).fit_report_.notes == ()


def test_contract_and_refusals():
    X, _ = smooth_world(3, 200, 0)
    model = CAM().fit(pd.DataFrame(X, columns=list("abc")))
    assert set(model.order_) == set("abc")
    assert pickle.loads(pickle.dumps(model)).graph_ == model.graph_
    for bad, message in ((CAM(alpha=-1), "CAM: alpha must be"), (CAM(n_knots=2), "at least 3")):
        with pytest.raises(ValueError, match=message):
            bad.fit(X)
    with pytest.raises(ValueError, match="CAM: X must be at least 20 rows"):
        CAM().fit(X[:9])
    with pytest.raises(ValueError, match="column 1 must be known somewhere"):
        CAM().fit(np.where(np.arange(3) == 1, np.nan, X))
