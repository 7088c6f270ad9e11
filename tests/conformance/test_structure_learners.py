"""What all structure learners share: contract, bad input, a failed fit, unknown values."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import skops.io
from sklearn.base import clone

from margin.causal import GES, GIES
from margin.core import FitReport
from margin.graphical import (
    IC,
    MMHC,
    PC,
    TAN,
    ChowLiu,
    ExactSearch,
    HillClimb,
    OrderMCMC,
    StructuralEM,
)

LEARNERS = [
    HillClimb(random_state=0),
    ExactSearch(),
    OrderMCMC(n_samples=800, burn_in=200, random_state=0),
    PC(test="g"),
    IC(test="g"),
    MMHC(),
    ChowLiu(),
    TAN(),
    StructuralEM(random_state=0),
    GES(),
    GIES(score="bdeu"),
]
IDS = [type(m).__name__ for m in LEARNERS]
each = pytest.mark.parametrize("model", LEARNERS, ids=IDS)


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    rain = rng.random(400) < 0.3
    hose = rng.random(400) < 0.4
    wet = (rain | hose) ^ (rng.random(400) < 0.05)
    slip = wet ^ (rng.random(400) < 0.1)
    return pd.DataFrame({"rain": rain, "hose": hose, "wet": wet, "slip": slip}).replace(
        {True: "yes", False: "no"}
    )


@each
def test_contract(model, frame):
    fresh = clone(model)
    assert fresh.get_params() == model.get_params()
    assert type(model).__name__ in repr(fresh)
    assert fresh.fit(frame) is fresh
    assert set(fresh.graph_.nodes) == set(frame.columns)
    assert isinstance(fresh.fit_report_, FitReport)
    assert np.isfinite(fresh.score_)
    assert fresh.n_features_in_ == 4
    assert list(fresh.feature_names_in_) == list(frame.columns)
    again = pickle.loads(pickle.dumps(fresh))
    assert again.graph_.edges == fresh.graph_.edges
    assert again.score_ == fresh.score_


@each
def test_saved_by_skops(model, frame):
    fitted = clone(model).fit(frame)
    saved = skops.io.dumps(fitted)
    loaded = skops.io.loads(saved, trusted=skops.io.get_untrusted_types(data=saved))
    assert loaded.graph_ == fitted.graph_
    assert loaded.score_ == fitted.score_


@each
def test_finds_the_strong_edges(model, frame):
    graph = clone(model).fit(frame).graph_
    joined = {frozenset(e) for e in graph.edges}
    assert frozenset(("wet", "slip")) in joined
    assert {frozenset(("rain", "wet")), frozenset(("hose", "wet"))} & joined


@each
def test_frames_and_arrays_agree(model, frame):
    words = clone(model).fit(frame)
    other = clone(model).fit(pl.from_pandas(frame))
    assert words.graph_.edges == other.graph_.edges
    numbers = clone(model).fit((frame == "yes").to_numpy().astype(int))
    assert not hasattr(numbers, "feature_names_in_")
    names = list(frame.columns)
    assert {tuple(names[i] for i in e) for e in numbers.graph_.edges} == set(words.graph_.edges)
    assert numbers.score_ == pytest.approx(words.score_)


@each
def test_whole_weights_are_copies(model, frame):
    copies = np.random.default_rng(1).integers(0, 3, len(frame))
    heavy = clone(model).fit(frame, sample_weight=copies)
    long = clone(model).fit(frame.iloc[np.repeat(np.arange(len(frame)), copies)])
    assert heavy.graph_.edges == long.graph_.edges
    assert heavy.score_ == pytest.approx(long.score_)


@each
def test_unknown_values(model, frame):
    holes = frame.mask(np.random.default_rng(2).random(frame.shape) < 0.1)
    full, gaps = clone(model).fit(frame), clone(model).fit(holes)
    assert frozenset(("wet", "slip")) in {frozenset(e) for e in gaps.graph_.edges}
    assert gaps.score_ == pytest.approx(full.score_, rel=0.2)


@each
def test_a_failed_fit_keeps_the_old_model(model, frame):
    fitted = clone(model).fit(frame)
    edges = fitted.graph_.edges
    with pytest.raises(ValueError, match=type(model).__name__):
        fitted.fit(np.zeros((0, 3)))
    assert fitted.graph_.edges == edges
    assert fitted.n_features_in_ == 4


@each
@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros(3), "two-dimensional"),
        (pd.DataFrame({"a": [None, None], "b": [1, 2]}), "observed somewhere"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "different column names"),
    ],
)
def test_bad_frames(model, X, message):
    with pytest.raises(ValueError, match=message):
        clone(model).fit(X)


@each
def test_columns_of_one_state_and_disconnected_columns(model):
    rng = np.random.default_rng(3)
    X = np.column_stack([np.zeros(60, int), rng.integers(0, 2, 60), rng.integers(0, 3, 60)])
    graph = clone(model).fit(X).graph_
    if not isinstance(model, ChowLiu | TAN):
        assert all(0 not in edge for edge in graph.edges)


KNOWING = [m for m in LEARNERS if "required" in m.get_params()]


@pytest.mark.parametrize("model", KNOWING, ids=[type(m).__name__ for m in KNOWING])
def test_background_knowledge(model, frame):
    held = clone(model).set_params(
        required=[("slip", "wet")], forbidden=[("rain", "wet"), ("wet", "rain")]
    )
    graph = held.fit(frame).graph_
    arrows = set(getattr(graph, "directed", graph.edges))
    assert ("slip", "wet") in arrows
    assert frozenset(("rain", "wet")) not in {frozenset(e) for e in graph.edges}
    late = clone(model).set_params(tiers=[["slip"], ["wet"], ["rain", "hose"]]).fit(frame).graph_
    assert ("wet", "slip") not in set(getattr(late, "directed", late.edges))
    for bad in ({"required": [("a", "wet")]}, {"tiers": [["wet"], ["wet"]]}):
        with pytest.raises(ValueError, match=f"{type(model).__name__}: (required|tiers) must be"):
            clone(model).set_params(**bad).fit(frame)
