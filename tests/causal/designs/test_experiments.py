from itertools import combinations

import numpy as np
import pytest
from worlds import random_graph

from margin.causal import CausalGraph, experiment_design, orient_by_experiments


def oracle(truth):
    def adjacent(a, b, targets):
        cut = truth.do(list(targets))
        return a in cut.parents(b) or b in cut.parents(a)

    return adjacent


@pytest.mark.parametrize(("D", "several"), [(2, 2), (3, 2), (4, 3), (7, 3), (8, 4), (16, 5)])
def test_counts_and_the_condition_on_pairs(D, several):
    """causal.13: golden counts, at most half of the variables set, every pair split twice"""
    plans = experiment_design(range(D))
    assert len(plans) == several
    assert len(experiment_design(range(D), "single")) == D - 1
    assert max(map(len, plans)) <= max(D / 2, 1)
    for a, b in combinations(range(D), 2):
        kinds = {(a in p, b in p) for p in plans} - {(True, True)}
        assert {(True, False), (False, True)} <= kinds or (
            (False, False) in kinds and len(kinds) >= 2
        )


@pytest.mark.parametrize("mode", ["several", "single"])
def test_any_graph_is_recovered(mode):
    """causal.13: random and complete graphs from what is adjacent in each experiment"""
    rng = np.random.default_rng(0)
    for arrows in [0.2, 0.5, 1.0] * 5:
        truth = random_graph(int(rng.integers(3, 9)), rng, arrows, hidden=0.0)
        plans = experiment_design(truth.nodes, mode)
        found = orient_by_experiments(truth.nodes, plans, oracle(truth))
        assert set(found.directed) == set(truth.directed)


def test_too_few_experiments_are_said():
    truth = CausalGraph.from_edges([("a", "b")])
    with pytest.raises(ValueError, match="split 'a' and 'b'"):
        orient_by_experiments("ab", [()], oracle(truth))
    with pytest.raises(ValueError, match="split 'a' and 'b' twice"):
        orient_by_experiments("ab", [("b",)], oracle(truth))
    for bad in (("a", "several"), ("ab", "magic")):
        with pytest.raises(ValueError, match="experiment_design: "):
            experiment_design(*bad)
