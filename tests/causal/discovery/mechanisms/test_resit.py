"""causal.12: graphs by tests of residuals."""

import pickle
from functools import partial

import numpy as np
import pandas as pd
import pytest
from equations import smooth_world
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_ridge import KernelRidge

from margin.causal import RESIT, AdditiveNoiseSEM, bootstrap_edges, structural_hamming_distance
from margin.causal.discovery._discoverer import graph_of
from margin.search import HSIC


def test_the_true_graph():
    """causal.12."""
    distances = []
    for seed in range(5):
        X, arrows = smooth_world(4, 300, seed)
        model = RESIT().fit(X)
        distances.append(structural_hamming_distance(graph_of(arrows, range(4)), model.graph_))
        assert model.graph_ == graph_of(model.adjacency_, range(4))
    assert sum(distances) <= 3


@pytest.mark.parametrize("seed", range(3))
def test_direction_of_a_cubic(seed):
    rng = np.random.default_rng(seed)
    cause = rng.uniform(-2, 2, 250)
    X = np.column_stack([cause**3 + rng.normal(size=250), cause])
    assert RESIT().fit(X).graph_.directed == ((1, 0),)
    flexible = RESIT(regressor=KernelRidge(kernel="rbf", gamma=1.0, alpha=0.1))
    assert flexible.fit(X).graph_.directed == ((1, 0),)
    permuted = RESIT(test=partial(HSIC, p_value="permutation", n_permutations=199, enough=10))
    assert permuted.fit(X).graph_.directed == ((1, 0),)


def test_as_the_other_library_orders_its_own_kind_of_data():
    lingam = pytest.importorskip("lingam")
    X, _ = smooth_world(3, 200, 1, share=1.0)
    ridge = KernelRidge(kernel="rbf", gamma=0.3, alpha=0.1)
    theirs = [int(i) for i in lingam.RESIT(ridge).fit(X).causal_order_]
    assert list(RESIT(regressor=ridge).fit(X).order_) == theirs


def test_units_and_places_do_not_matter():
    X, _ = smooth_world(4, 200, 2)
    model = RESIT().fit(X)
    scale = np.array([1e-6, 1.0, 1e6, 3.0])
    assert RESIT().fit(X * scale - scale).graph_ == model.graph_
    turned = RESIT().fit(X[:, ::-1])
    np.testing.assert_array_equal(turned.adjacency_[::-1, ::-1], model.adjacency_)


def test_knowledge_bootstrap_and_functions():
    X, _ = smooth_world(3, 150, 4, share=1.0)
    assert RESIT(tiers=[[2], [1], [0]]).fit(X).order_ == (2, 1, 0)
    model = RESIT(required=[(0, 1)], forbidden=[(1, 2), (2, 1)]).fit(X)
    assert (0, 1) in model.graph_.directed
    assert not {(1, 2), (2, 1)} & set(model.graph_.directed)
    shares = bootstrap_edges(RESIT(), X, n_samples=3, random_state=0)
    assert shares.directed.shape == (3, 3)
    frame = pd.DataFrame(X, columns=list("abc"))
    learnt = RESIT().fit(frame)
    assert AdditiveNoiseSEM(learnt.graph_).fit(frame).names_
    assert pickle.loads(pickle.dumps(learnt)).graph_ == learnt.graph_


def test_a_hidden_cause_is_noted():
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=400)
    X = np.column_stack([np.abs(hidden), np.sin(2 * hidden)]) * 2 + 0.2 * rng.normal(size=(400, 2))
    model = RESIT().fit(X)
    assert "a hidden cause" in " ".join(model.fit_report_.notes)
    assert model.noise_p_values_.min() <= 0.01


def test_running_out_of_work_is_told():
    X, _ = smooth_world(5, 60, 0)
    with pytest.warns(ConvergenceWarning, match="raise max_work, lower n_knots, or give tiers"):
        model = RESIT(max_work=1e8).fit(X)
    assert sorted(model.order_) == list(range(5))
    assert 0 < model.fit_report_.n_iter < 24
    assert RESIT().fit(X).fit_report_.n_iter == 24


def test_many_columns_get_fewer_knots():
    """No more spline columns than rows, so that sixty columns are no matter of minutes."""
    X = np.random.default_rng(0).normal(size=(40, 12))
    assert RESIT()._knots(X) == 3
    assert RESIT()._knots(X[:, :8]) == 4
    assert RESIT()._knots(X[:, :3]) == 8
    assert RESIT(n_knots=5)._knots(X[:, :3]) == 5


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (RESIT(alpha=2.0), "RESIT: alpha must be"),
        (RESIT(n_knots=2), "RESIT: n_knots must be an integer of at least 3"),
        (RESIT(max_work=0.0), "RESIT: max_work must be"),
        (RESIT(test="kci"), "RESIT: test must be"),
        (RESIT(test=lambda values: 3), "makes an IndependenceTest"),
        (RESIT(regressor="forest"), "RESIT: regressor must be"),
    ],
)
def test_refusals(model, message):
    X = np.random.default_rng(0).normal(size=(30, 2))
    with pytest.raises(ValueError, match=message):
        clone(model).fit(X)
    with pytest.raises(ValueError, match="at least 20 rows"):
        RESIT().fit(X[:10])
    with pytest.raises(ValueError, match="no combination of the columns"):
        RESIT().fit(np.column_stack([X, X.sum(axis=1)]))
