"""causal.13: GIES, classes from observations and experiments."""

import numpy as np
import pandas as pd
import pytest

from margin.causal import GES, GIES, experiment_design
from margin.graphs import DAG, interventional_graph


def experiments(p, n, plans, seed, share=0.5):
    """Rows of a linear model, n per experiment, whose targets are set at random."""
    rng = np.random.default_rng(seed)
    weight = np.triu(rng.random((p, p)) < share, 1) * rng.uniform(0.6, 1.2, (p, p))
    tables, targets = [], []
    for plan in plans:
        X = np.zeros((n, p))
        for j in range(p):
            free = j not in plan
            X[:, j] = (X @ weight[:, j] if free else 1.0) + rng.standard_normal(n)
        tables.append(X)
        targets += [tuple(plan)] * n
    return np.concatenate(tables), targets, DAG.from_adjacency(weight != 0)


@pytest.mark.parametrize("mode", ["single", "several"])
def test_designed_experiments_give_the_graph(mode):
    """causal.13: the targets are those of the design, and observation."""
    plans = [(), *experiment_design(range(5), mode)]
    right = 0
    for seed in range(8):
        X, targets, truth = experiments(5, 1500, plans, seed)
        graph = GIES().fit(X, targets=targets).graph_
        assert not graph.undirected
        right += DAG(graph.nodes, graph.directed) == truth
    assert right >= 7  # a greedy search may end at a local maximum


@pytest.mark.parametrize("seed", range(3))
def test_what_one_experiment_leaves_open(seed):
    X, targets, truth = experiments(5, 2500, [(), (0, 2)], seed)
    assert GIES().fit(X, targets=targets).graph_ == interventional_graph(truth, [(0, 2)])


def test_without_targets_it_is_ges():
    X, targets, _ = experiments(5, 300, [()], 0)
    plain = GES().fit(X)
    assert GIES().fit(X).graph_ == GIES().fit(X, targets=targets).graph_ == plain.graph_
    assert GIES().fit(X, targets=[None] * 300).score_ == pytest.approx(plain.score_)


def test_categories():
    rng = np.random.default_rng(1)
    a = rng.random(3000) < 0.5
    b = a ^ (rng.random(3000) < 0.2)
    b[2000:] = rng.random(1000) < 0.5
    frame = pd.DataFrame({"b": b, "a": a}).replace({True: "yes", False: "no"})
    targets = [()] * 2000 + ["b"] * 1000
    for score in ("bic", "bdeu"):
        model = GIES(score=score).fit(frame, targets=targets)
        assert model.graph_.directed == (("a", "b"),)
    assert GES().fit(frame).graph_.undirected


def test_refusals():
    X, targets, _ = experiments(3, 20, [(), (0,)], 0)
    frame = pd.DataFrame(X, columns=list("abc"))
    with pytest.raises(ValueError, match="GIES: targets must be sets of columns of the table"):
        GIES().fit(X, targets=[(7,)] * 40)
    with pytest.raises(ValueError, match="GIES: targets must be sets of columns of the table"):
        GIES().fit(frame, targets=targets)
    with pytest.raises(ValueError, match="one set of columns for each of the 40 rows, got 39"):
        GIES().fit(X, targets=targets[1:])
    with pytest.raises(ValueError, match="without 0 in some rows, to see how it comes about"):
        GIES().fit(X, targets=[(0,)] * 40)
