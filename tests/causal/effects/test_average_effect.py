import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import skops.io
from numpy.testing import assert_allclose
from scipy.stats import binom
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression
from worlds import COVARIATES, study

from margin.causal import AverageEffect, Matching, Stratification
from margin.datasets import load_berkeley, load_kidney_stones

EXACT = ["stratification", "propensity_stratification", "regression", "ipw", "plain_ipw",
         "stabilised_ipw", "matching", "covariate_matching"]  # fmt: skip


@pytest.mark.parametrize("method", EXACT)
def test_kidney_stones(method):
    """causal.17, causal.18, causal.20, causal.21, causal.22: golden numbers of the adjustment"""
    stones = load_kidney_stones(as_frame=True)
    frame = stones.data.assign(recovered=stones.target)
    model = AverageEffect(stones.edges, "treatment", "recovered", method=method, baseline="B")
    model.fit(frame)
    assert_allclose(model.means_["A"], 0.8325462174, atol=1e-9)
    assert_allclose(model.means_["B"], 0.778875, atol=1e-9)
    assert_allclose(model.effect_, 0.0536712174, atol=1e-9)
    assert model.adjustment_ == ("size",)
    if model.propensity_ is not None:
        small = (frame["size"] == "small").to_numpy()
        assert_allclose(model.propensity_[small, 1], 0.2436974790, atol=1e-8)


def test_berkeley():
    """causal.15, causal.18: the naive difference and the rates within departments"""
    data = load_berkeley(as_frame=True)
    frame = data.data.assign(admitted=data.target)
    naive = AverageEffect(None, "sex", "admitted", method="naive", baseline="male").fit(frame)
    assert_allclose(list(naive.means_.values()), [1192 / 2590, 557 / 1835])
    adjusted = AverageEffect(
        None, "sex", "admitted", ["department"], "stratification", baseline="male"
    )
    with pytest.raises(ValueError, match="covariate must be of at most 5 levels"):
        adjusted.fit(frame)
    adjusted.set_params(method="regression").fit(frame)
    adjusted.set_params(method=Stratification(n_levels=6)).fit(frame)
    assert_allclose(list(adjusted.means_.values()), [0.3947909894, 0.4381626096], atol=1e-9)


COVERED = ["regression", "ipw", "stabilised_ipw", "matching", "aipw", "tmle", "dml"]


@pytest.mark.parametrize("method", COVERED)
def test_bias_and_coverage(method):
    """Intervals of 90 % hold the truth as often as they should, within binomial bounds."""
    rng, n_studies = np.random.default_rng(5), 80
    model = AverageEffect(None, "t", "y", COVARIATES, method, level=0.9, n_folds=3, random_state=0)
    found, inside = [], 0
    for _ in range(n_studies):
        model.fit(study(250, rng))
        found.append(model.effect_)
        inside += model.interval_[0] <= 2 <= model.interval_[1]
    error = np.std(found) / np.sqrt(n_studies)
    # Matching on one number leaves a bias of its own order.
    assert abs(np.mean(found) - 2) < 4 * error + (0.03 if method == "matching" else 0.01)
    low, high = binom.ppf([0.001, 0.999], n_studies, 0.9)
    assert low <= inside <= high


def test_frames_weights_and_bootstrap_together():
    frame = study(200, np.random.default_rng(0))
    one = AverageEffect(None, "t", "y", COVARIATES, "ipw", n_bootstrap=50, random_state=1)
    values = [clone(one).fit(kind(frame)).effect_ for kind in (dict, pd.DataFrame, pl.DataFrame)]
    assert values[0] == values[1] == values[2]
    copies = np.random.default_rng(1).integers(0, 3, 200)
    rows = np.repeat(np.arange(200), copies)
    long = {name: values[rows] for name, values in frame.items()}
    heavy = clone(one).fit(frame, sample_weight=copies)
    assert_allclose(heavy.effect_, clone(one).fit(long).effect_, atol=1e-7)
    assert heavy.bootstrap_.shape == (50, 1)
    with pytest.raises(ValueError, match="sample_weight must be above 0 in some row of level 1"):
        clone(one).fit(frame, sample_weight=1 - frame["t"])
    again = pickle.loads(pickle.dumps(heavy))
    assert again.effect_ == heavy.effect_
    assert clone(one).fit(frame).interval_.tolist() == clone(one).fit(frame).interval_.tolist()


def test_several_levels_and_any_learner():
    rng = np.random.default_rng(0)
    x = rng.standard_normal(1500)
    t = np.array(["low", "mid", "top"])[
        np.clip((x + rng.logistic(size=1500)).round().astype(int) + 1, 0, 2)
    ]
    y = x + np.array([0, 1, 3])[np.unique(t, return_inverse=True)[1]] + rng.normal(0, 0.3, 1500)
    frame = {"x": x, "t": t, "y": y}
    for method in ("ipw", "aipw", "tmle", "regression"):
        model = AverageEffect(None, "t", "y", ["x"], method, baseline="low").fit(frame)
        assert_allclose(model.effect_, [1, 3], atol=0.25)
        assert model.interval_.shape == (2, 2)
        assert "mid - low" in repr(model.summary())
    forest = RandomForestClassifier(20, min_samples_leaf=40, random_state=0)
    flexible = AverageEffect(
        None, "t", "y", ["x"], propensity_model=forest, outcome_model=LinearRegression(), clip=0.01
    ).fit(frame)
    assert_allclose(flexible.effect_, [1, 3], atol=0.25)
    refit = AverageEffect(
        None, "t", "y", ["x"], "regression", outcome_model=LinearRegression(), n_bootstrap=20,
        random_state=0,
    ).fit(frame)  # fmt: skip
    assert refit.bootstrap_.shape == (20, 2)


def test_clusters_by_name():
    frame = study(100, np.random.default_rng(0))
    tripled = {name: np.repeat(values, 3) for name, values in frame.items()}
    tripled["who"] = np.repeat(np.arange(100), 3)
    model = AverageEffect(None, "t", "y", COVARIATES, "regression")
    alone, clustered = clone(model).fit(frame), clone(model).fit(tripled, clusters="who")
    assert_allclose(clustered.std_error_, alone.std_error_ * np.sqrt(100 / 99), rtol=1e-6)


def test_summary_balance_and_collinear_covariates():
    frame = study(400, np.random.default_rng(0))
    frame["twice"] = 2 * frame["x0"]
    model = AverageEffect(None, "t", "y", [*COVARIATES, "twice"], "ipw").fit(frame)
    assert "left out, because others determine it: twice" in repr(model.summary())
    same = AverageEffect(None, "t", "y", COVARIATES, "ipw").fit(frame)
    assert_allclose(model.effect_, same.effect_)
    assert abs(model.balance().worst) < 0.1 < np.abs(model.balance().before).max()
    pairs = AverageEffect(None, "t", "y", COVARIATES, Matching(replacement=False, caliper=0.05))
    assert pairs.fit(frame).balance().worst < 0.2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"method": "magic"}, "AverageEffect: method must be one of"),
        ({"target": "me"}, "AverageEffect: target must be one of"),
        ({"level": 2.0}, "AverageEffect: level must be a number between 0 and 1"),
        ({"clip": 0.7}, "AverageEffect: clip must be a number between 0 and 0.5"),
        ({"n_folds": 0}, "AverageEffect: n_folds must be an integer of at least 1"),
        ({"outcome": "q"}, "AverageEffect: frame must be with a column 'q'"),
        ({"treatment": None}, "AverageEffect: treatment must be the name of a column"),
        ({"outcome": ["y", "x0"]}, "AverageEffect: outcome must be one column"),
        (
            {"treatment": "x1", "adjustment": ["x0"], "method": "ipw"},
            "method must be one for continuous treatments",
        ),
        ({"adjustment": ["t0"]}, "overlap must hold"),
        ({"clip": "a"}, "AverageEffect: clip must be a number between 0 and 0.5"),
        ({"level": True}, "AverageEffect: level must be a number between 0 and 1"),
        ({"n_bootstrap": -1}, "AverageEffect: n_bootstrap must be 0, or an integer of at least 2"),
        ({"n_bootstrap": 1}, "AverageEffect: n_bootstrap must be 0, or"),
        (
            {"treatment": "x1", "adjustment": ["x0"], "target": "att", "method": "regression"},
            "target must be 'ate' with a continuous treatment",
        ),
    ],
)
def test_what_is_refused(change, message):
    frame = study(60, np.random.default_rng(0))
    frame["t0"] = 3.0 * frame["t"]
    model = AverageEffect(**{"treatment": "t", "outcome": "y", "adjustment": COVARIATES, **change})
    with pytest.raises(ValueError, match=message):
        model.fit(frame)
    assert not hasattr(model, "effect_")


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_scales_of_covariates_and_outcomes(scale):
    frame = study(200, np.random.default_rng(0))
    plain = AverageEffect(None, "t", "y", COVARIATES, "aipw", random_state=0).fit(frame)
    moved = {k: v * scale if k != "t" else v for k, v in frame.items()}
    other = AverageEffect(None, "t", "y", COVARIATES, "aipw", random_state=0).fit(moved)
    assert_allclose(other.effect_ / scale, plain.effect_, rtol=1e-6)
    assert_allclose(other.std_error_ / scale, plain.std_error_, rtol=1e-6)


def test_constant_outcomes_and_columns():
    frame = study(60, np.random.default_rng(0)) | {"one": np.ones(60)}
    for method in ("aipw", "tmle", "ipw", "regression", "matching", "dml"):
        model = AverageEffect(None, "t", "one", ["x0"], method, random_state=0).fit(frame)
        assert_allclose([model.effect_, model.std_error_], 0, atol=1e-9)


def test_saved_by_skops():
    model = AverageEffect(None, "t", "y", COVARIATES).fit(study(60, np.random.default_rng(0)))
    saved = skops.io.dumps(model)
    loaded = skops.io.loads(saved, trusted=skops.io.get_untrusted_types(data=saved))
    assert loaded.effect_ == model.effect_
    assert repr(loaded.summary()) == repr(model.summary())


@pytest.mark.parametrize("method", ["dml", "regression"])
def test_words_and_numbers_together(method):
    """A treatment of words beside one of numbers: one coefficient for each."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(3000)
    word = np.array(["a", "b"])[(rng.random(3000) < 1 / (1 + np.exp(-x))).astype(int)]
    dose = x + rng.standard_normal(3000)
    frame = {"x": x, "t": word, "s": dose}
    frame["y"] = x + 2.0 * (word == "b") - dose + rng.standard_normal(3000)
    model = AverageEffect(None, ["t", "s"], "y", ["x"], method, random_state=0).fit(frame)
    assert model.scores_.names == ("b - a", "s")
    assert_allclose(model.effect_, [2, -1], atol=0.15)


def test_levels_of_any_float_and_places_of_levels():
    model = AverageEffect(None, "t", "y", COVARIATES, "ipw", level=np.float32(0.9))
    model.fit(study(80, np.random.default_rng(0)))
    for level in (0, 5, "a", 1.5):
        with pytest.raises(ValueError, match="level must be the place of a level beside the base"):
            model.balance(level)
    amounts = AverageEffect(None, "x1", "y", ["x0"]).fit(study(80, np.random.default_rng(0)))
    with pytest.raises(ValueError, match="treatment must be of levels for a balance"):
        amounts.balance()


def test_rows_of_no_weight_need_not_be_known():
    frame = study(120, np.random.default_rng(0))
    weight = np.ones(120)
    weight[[3, 7, 9]] = 0
    holes = {name: np.array(values, dtype=float) for name, values in frame.items()}
    holes["x0"][3] = holes["t"][7] = holes["y"][9] = np.nan
    rest = {name: values[weight > 0] for name, values in frame.items()}
    model = AverageEffect(None, "t", "y", COVARIATES, "ipw")
    found, wanted = clone(model).fit(holes, sample_weight=weight), clone(model).fit(rest)
    assert_allclose([found.effect_, found.std_error_], [wanted.effect_, wanted.std_error_])
    with pytest.raises(ValueError, match=r"column 'y' must be finite everywhere, got 'rows \[9\]"):
        clone(model).fit(holes)
    pairs = clone(model).set_params(method=Matching(replacement=False, caliper=1.0))
    rows = pairs.fit(holes, sample_weight=weight).pairs_
    assert not np.isin(rows, [3, 7, 9]).any()
    assert (frame["t"][rows] == [1, 0]).all()


def test_covariates_that_are_not_known():
    """Where people were treated by what was known, a column that says so closes the back door."""
    rng = np.random.default_rng(1)
    n = 4000
    z, gone = rng.standard_normal(n), rng.random(n) < 0.4
    word = np.where(rng.random(n) < 0.3, None, np.where(rng.random(n) < 0.5, "a", "b"))
    known = np.where(gone, -0.5, z) + (word == "a")  # what the doctor saw
    t = (rng.random(n) < 1 / (1 + np.exp(-known))).astype(int)
    y = known + 2 * t + rng.standard_normal(n)
    frame = {"z": np.where(gone, np.nan, z), "w": word, "t": t, "y": y}
    model = AverageEffect(None, "t", "y", ["z", "w"], "regression", missing="indicator")
    model.fit(frame)
    assert abs(model.effect_ - 2) < 4 * model.std_error_ < 0.2
    assert model.balance().columns == ("z", "z missing", "w=b", "w=missing")
    assert model.adjustment_ == ("z", "w")
    with pytest.raises(ValueError, match=r"column 'z' must be finite everywhere, got 'rows \["):
        clone(model).set_params(missing="refuse").fit(frame)
    with pytest.raises(ValueError, match="column 'z' must be known in some row"):
        clone(model).fit({**frame, "z": np.full(n, np.nan)})
    with pytest.raises(ValueError, match="AverageEffect: missing must be one of"):
        clone(model).set_params(missing="drop").fit(frame)
