"""graphical.19, graphical.37: structure from rows with gaps."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning

from margin.graphical import BayesianNetwork, HillClimb, StructuralEM
from margin.graphs import cpdag


def sample(n, seed=0):
    network = BayesianNetwork.from_edges(
        [("a", "c"), ("b", "c"), ("c", "d"), ("d", "e"), ("b", "f")],
        {
            "a": [0.6, 0.4],
            "b": [0.3, 0.7],
            "c": [[[0.9, 0.1], [0.4, 0.6]], [[0.3, 0.7], [0.1, 0.9]]],
            "d": [[0.8, 0.2, 0.0], [0.1, 0.3, 0.6]],
            "e": [[0.9, 0.1], [0.5, 0.5], [0.1, 0.9]],
            "f": [[0.85, 0.15], [0.2, 0.8]],
        },
    )
    return network.sample(n, random_state=seed)


def gaps(frame, share, seed=1):
    rng = np.random.default_rng(seed)
    return frame.astype(object).mask(rng.random(frame.shape) < share, None)


def test_the_structure_of_complete_rows_at_ten_per_cent_missing():
    """graphical.37: the same equivalence class, and every step up."""
    frame = sample(1500)
    whole = HillClimb().fit(frame)
    model = StructuralEM().fit(gaps(frame, 0.1))
    assert cpdag(model.graph_) == cpdag(whole.graph_)
    assert model.fit_report_.status.ok


@pytest.mark.parametrize("seed", range(3))
def test_the_objective_never_falls(seed):
    """graphical.19: the smallest step of the trace, from a start that is far away."""
    rng = np.random.default_rng(seed)
    frame = gaps(sample(200, seed), 0.35, seed)
    frame["c"] = np.where(rng.random(200) < 0.5, frame["c"], None)
    model = StructuralEM(max_completions=4096).fit(frame)
    trace = model.fit_report_.trace["objective"]
    assert np.diff(trace).min(initial=0.0) >= 0
    assert model.score_ == trace[-1]
    free = model.network_.n_parameters
    observed = model.network_.log_prob(frame).sum() - 0.5 * np.log(200) * free
    assert_allclose(model.score_, observed, rtol=1e-9)


def test_complete_rows_are_hill_climbing():
    frame = sample(400)
    model, whole = StructuralEM().fit(frame), HillClimb().fit(frame)
    assert model.graph_ == whole.graph_
    assert_allclose(model.score_, whole.score_, rtol=1e-9)


def test_values_that_hide_themselves_by_what_is_seen():
    """Missing at random but not completely: available cases see a wrong table, this does not."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, 4000)
    y = np.where(rng.random(4000) < 0.8, x, 1 - x).astype(object)
    y[(x == 1) & (rng.random(4000) < 0.8)] = None
    model = StructuralEM().fit(pd.DataFrame({"x": x, "y": y}))
    assert len(model.graph_.edges) == 1
    found = model.network_.marginals()["y"]
    assert_allclose(found, [0.5, 0.5], atol=0.03)


def test_background_knowledge_and_refusals():
    frame = gaps(sample(300), 0.1)
    model = StructuralEM(required=[("e", "d")], forbidden=[("c", "d")], max_parents=1).fit(frame)
    assert ("e", "d") in model.graph_.edges
    assert ("c", "d") not in model.graph_.edges
    with pytest.raises(ValueError, match="StructuralEM: score must be"):
        StructuralEM(score="bdeu").fit(frame)
    with pytest.raises(ValueError, match="max_completions"):
        StructuralEM(max_completions=0).fit(frame)


def test_rows_that_would_take_for_ever_have_an_end():
    """Ten rows with gaps of many columns: every family fits, and the cliques are wide."""
    rng = np.random.default_rng(0)
    codes = pd.DataFrame(rng.integers(0, 4, (10, 14))).astype(object)
    gaps = codes.mask(rng.random(codes.shape) < 0.2)
    gaps.columns = [f"c{j}" for j in gaps.columns]
    with pytest.warns(ConvergenceWarning, match=r"structures? within max_work=1000; raise"):
        model = StructuralEM(max_work=1e3, random_state=0).fit(gaps)
    assert np.isfinite(model.score_)
