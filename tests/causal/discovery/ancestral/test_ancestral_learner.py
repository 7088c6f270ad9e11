"""What FCI and RFCI share: contract, frames, unknown values, tests by name, bad input."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import skops.io
from sklearn.base import clone

from margin.causal import FCI, RFCI, bootstrap_edges
from margin.core import FitReport
from margin.graphs import DAG, PAG
from margin.search import KCI, FisherZ, Moments, Oracle

each = pytest.mark.parametrize("learner", [FCI, RFCI])
TRUTH = PAG(["a o-> x", "x <-> y", "b o-> y", "y --> z"])


@pytest.fixture(scope="module")
def frame():
    """a -> x <- hidden -> y <- b, y -> z."""
    rng = np.random.default_rng(4)
    a, b, hidden = rng.normal(size=(3, 1500))
    x = a + hidden + 0.5 * rng.normal(size=1500)
    y = b + hidden + 0.5 * rng.normal(size=1500)
    z = y + rng.normal(size=1500)
    return pd.DataFrame({"a": a, "x": x, "y": y, "b": b, "z": z})


@each
def test_contract(learner, frame):
    model = learner(alpha=0.01)
    fresh = clone(model)
    assert fresh.get_params() == model.get_params()
    assert fresh.fit(frame) is fresh
    assert fresh.graph_ == TRUTH
    assert fresh.skeleton_ == TRUTH.skeleton()
    assert isinstance(fresh.fit_report_, FitReport)
    assert "tests, by size of the condition" in repr(fresh.fit_report_)
    assert list(fresh.feature_names_in_) == list(frame.columns)
    assert fresh.n_features_in_ == 5
    removed = {frozenset(pair) for pair in fresh.separators_}
    assert removed == {frozenset(removal[:2]) for removal in fresh.removals_}
    assert len(fresh.edge_p_values_) + len(removed) == 10
    assert max(fresh.edge_p_values_.values()) <= 0.01 <= fresh.removals_[-1][2]
    assert pickle.loads(pickle.dumps(fresh)).graph_ == TRUTH
    saved = skops.io.dumps(fresh)
    loaded = skops.io.loads(saved, trusted=skops.io.get_untrusted_types(data=saved))
    assert loaded.graph_ == TRUTH
    assert loaded.separators_ == fresh.separators_


@each
def test_other_tables(learner, frame):
    model = learner(alpha=0.01)
    numbered = model.fit(frame.to_numpy()).graph_
    assert numbered.nodes == tuple(range(5))
    assert not hasattr(model, "feature_names_in_")
    assert model.fit(pl.from_pandas(frame)).graph_ == TRUTH
    assert model.fit(frame * [1e-8, 1.0, 1e9, 3.0, 1.0] + 5).graph_ == TRUTH
    assert model.fit(frame, sample_weight=np.ones(1500)).graph_ == TRUTH


@each
def test_unknown_values(learner, frame):
    rng = np.random.default_rng(0)
    assert learner(alpha=0.01).fit(frame.mask(rng.random(frame.shape) < 0.1)).graph_ == TRUTH
    words = (frame > 0).replace({True: "yes", False: "no"})
    words = words.mask(rng.random(frame.shape) < 0.05)
    model = learner(test="g", alpha=0.01).fit(words)
    assert set(TRUTH.skeleton().edges) >= {tuple(sorted("ax"))}
    assert model.graph_.mark("a", "x") is not None
    assert model.graph_.mark("a", "b") is None


@each
@pytest.mark.parametrize("name", ["fisher-z", "g", "chi-squared", "mixed", "hsic", "kci"])
def test_every_test_by_name(learner, name, frame):
    few = frame.iloc[:150, :3]
    few = (few > 0).astype(int) if name in ("g", "chi-squared") else few
    if name == "mixed":
        few = few.assign(a=(few["a"] > 0).astype(str))
    graph = learner(test=name, alpha=0.01, max_cond_size=1).fit(few).graph_
    assert graph.mark("a", "x") is not None
    assert graph.mark("a", "y") is None


@each
def test_tests_that_have_their_data(learner, frame):
    values = frame.to_numpy()[:150, :3]
    for test in (KCI(values), FisherZ(Moments.of("test", values))):
        assert learner(test=test, alpha=0.01, max_cond_size=1).fit().graph_.mark(0, 1) is not None


@each
def test_knowledge_and_options(learner, frame):
    model = learner(alpha=0.01, tiers=[["a", "b"], ["x", "y", "z"]]).fit(frame)
    assert model.graph_ == TRUTH
    model = learner(alpha=0.01, required=[("a", "x")]).fit(frame)
    assert model.graph_.mark("x", "a") == "tail"
    for colliders in ("conservative", "majority"):
        assert learner(alpha=0.01, colliders=colliders, n_jobs=2).fit(frame).graph_ == TRUTH
    assert learner(alpha=0.01, selection=False).fit(frame).graph_ == TRUTH


@each
def test_bad_input_is_refused_by_name(learner, frame):
    name = learner.__name__
    for settings, message in [
        ({"alpha": 2.0}, f"{name}: alpha must"),
        ({"max_tests": 0}, f"{name}: max_tests must"),
        ({"max_cond_size": -1}, f"{name}: max_cond_size must"),
        ({"colliders": "odd"}, f"{name}: colliders must be one of"),
        ({"selection": 3}, f"{name}: selection must"),
        ({"test": "t"}, f"{name}: test must be an IndependenceTest or one of"),
        ({"required": [("a", "b"), ("b", "a")]}, "without a directed cycle|different from what"),
        ({"forbidden": [("a", "w")]}, f"{name}: forbidden must be pairs"),
        ({"tiers": [["a"], ["a"]]}, f"{name}: tiers must be groups of different columns"),
    ]:
        with pytest.raises(ValueError, match=message):
            learner(**settings).fit(frame)
    with pytest.raises(ValueError, match=f"{name}: column 'z' must be not constant"):
        learner().fit(frame.assign(z=0.1))
    with pytest.raises(ValueError, match=f"{name}: column 'sum' must be no combination of the"):
        learner().fit(frame.assign(sum=frame["a"] + frame["b"]))
    with pytest.raises(ValueError, match=f"{name}: X must be more than 3 rows"):
        learner().fit(frame.iloc[:3])
    with pytest.raises(ValueError, match="X must be finite or NaN"):
        learner().fit(frame.replace(frame.iloc[0, 0], np.inf))


@each
def test_tests_run_out_with_a_warning(learner, frame):
    with pytest.warns(Warning, match=f"{learner.__name__}: stopped after max_tests=5"):
        learner(max_tests=5).fit(frame)


@each
def test_one_column_and_none_related(learner):
    assert learner().fit(np.random.default_rng(0).normal(size=(50, 1))).graph_ == PAG(1)
    X = np.random.default_rng(1).normal(size=(200, 3))
    assert learner(alpha=1e-4).fit(X).graph_ == PAG(3)


def test_edges_of_bootstrap_samples(frame):
    arrows = bootstrap_edges(FCI(alpha=0.01), frame, n_samples=5, random_state=0)
    assert arrows.joined.max() == 1.0
    names = list(arrows.names)
    assert arrows.directed[names.index("z"), names.index("y")] > 0.5


def test_an_oracle_needs_no_table():
    truth = DAG([("u", "x"), ("u", "y"), ("a", "x"), ("b", "y")])
    assert FCI(test=Oracle(truth, latent="u")).fit().graph_ == PAG(
        ["a o-> x", "x <-> y", "b o-> y"]
    )
