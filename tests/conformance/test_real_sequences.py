"""What all estimators over sequences of numbers share: contract, saving, threads, bad input."""

import pickle

import numpy as np
import pytest
import skops.io
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline

from margin.core import FitReport, Sequences
from margin.evaluation import all_estimators
from margin.native import _native
from margin.sequence import (
    AutoRegression,
    BayesianLinearDynamicalSystem,
    LinearDynamicalSystem,
    ObservedLinearSystem,
    StructuralTimeSeries,
    SwitchingAutoRegression,
    SwitchingLinearDynamicalSystem,
    TimeVaryingAutoRegression,
)

MODELS = [
    AutoRegression(2),
    AutoRegression(1, method="bayesian", random_state=0),
    BayesianLinearDynamicalSystem(1, n_draws=20, n_warmup=20, random_state=0),
    LinearDynamicalSystem(2, random_state=0, max_iter=8),
    LinearDynamicalSystem(1, solver="lbfgs", max_iter=8),
    ObservedLinearSystem(),
    StructuralTimeSeries(),
    SwitchingAutoRegression(2, random_state=0, max_iter=20),
    SwitchingLinearDynamicalSystem(2, 1, random_state=0, max_iter=8),
    TimeVaryingAutoRegression(1, random_state=0),
]
each = pytest.mark.parametrize("model", MODELS, ids=[f"{type(m).__name__}" for m in MODELS])
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
ROOMS = ("state_space", "autoregressive", "switching")


@pytest.fixture(scope="module")
def walks():
    rng = np.random.default_rng(0)
    return [np.cumsum(rng.normal(size=n)) for n in (30, 22, 40, 25)]


def values(model, walks):
    return model.log_bound(walks) if hasattr(model, "log_bound") else model.log_prob(walks)


@each
def test_contract(model, walks):
    fresh = clone(model)
    assert type(model).__name__ in repr(fresh)
    with pytest.raises(NotFittedError):
        fresh.score(walks)
    with pytest.raises(NotFittedError):
        fresh.forecast(1)
    assert fresh.fit(walks) is fresh
    assert isinstance(fresh.fit_report_, FitReport)
    assert fresh.card.input == "sequences"
    assert np.isfinite(values(fresh, walks)).all()
    ahead = fresh.forecast(3)
    low, high = ahead.interval(0.9)
    assert ahead.mean.shape == low.shape == high.shape == (3,)
    assert (low < high).all()
    assert make_pipeline(clone(model)).fit(walks).score(walks) == pytest.approx(fresh.score(walks))


@each
def test_every_way_to_give_sequences(model, walks):
    first = clone(model).fit(walks)
    for other in (
        clone(model).fit(Sequences(walks)),
        clone(model).fit(np.concatenate(walks), lengths=[len(w) for w in walks]),
        clone(model).fit([w[:, None] for w in walks]),
    ):
        np.testing.assert_array_equal(values(other, walks), values(first, walks))


@each
def test_saved_and_loaded(model, walks):
    fitted = clone(model).fit(walks)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(values(again, walks), values(fitted, walks))
    saved = skops.io.dumps(fitted)
    loaded = skops.io.loads(saved, trusted=skops.io.get_untrusted_types(data=saved))
    np.testing.assert_array_equal(values(loaded, walks), values(fitted, walks))
    np.testing.assert_array_equal(loaded.forecast(2).mean, fitted.forecast(2).mean)


@each
def test_cross_validation_never_cuts_a_sequence(model, walks):
    for X in (walks, Sequences(walks)):
        scores = cross_val_score(clone(model), X, cv=KFold(2))
        assert np.isfinite(scores).all()
    by_hand = clone(model).fit(walks[2:]).score(walks[:2])
    assert scores[0] == pytest.approx(by_hand)


@each
def test_the_same_bits_for_any_number_of_threads(model, walks):
    if "n_jobs" not in model.get_params():
        pytest.skip("has no threads")
    usual = _native.set_least_work(0.0)
    one, two = (clone(model).set_params(n_jobs=n).fit(walks) for n in (1, 3))
    _native.set_least_work(usual)
    np.testing.assert_array_equal(values(one, walks), values(two, walks))


@each
def test_bad_sequences_are_refused_by_name(model, walks):
    name = type(model).__name__
    fitted = clone(model).fit(walks)
    before = values(fitted, walks)
    for X, lengths in (
        ([], None),
        ([[]], None),
        (walks[0], [3]),
        ([np.zeros((3, 2)), np.zeros((3, 3))], None),
        ([["a"]], None),
        ([[np.inf]], None),
        ([[np.nan, np.nan]], None),
    ):
        with pytest.raises(ValueError, match=name):
            fitted.fit(X, lengths=lengths)
    np.testing.assert_array_equal(values(fitted, walks), before)


@each
def test_read_only_single_precision_and_objects(model, walks):
    held = [w.astype(np.float32).astype(np.float64) for w in walks]
    for w in held:
        w.flags.writeable = False
    first = clone(model).fit(held)
    low = clone(model).fit([w.astype(np.float32) for w in held])
    words = clone(model).fit([w.astype(object) for w in held])
    np.testing.assert_array_equal(values(first, held), values(low, held))
    np.testing.assert_array_equal(values(first, held), values(words, held))


def test_every_estimator_of_these_rooms_is_here():
    known = {type(m) for m in MODELS}
    families = [c for _, c in all_estimators(input="sequences")]
    mine = {c for c in families if c.__init__.__globals__["__name__"].split(".")[2] in ROOMS}
    assert mine == known
