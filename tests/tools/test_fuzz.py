"""The fuzzer sees every kind of fault, and takes clear errors for what they are."""

import os
import signal
import time
import warnings
from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy import sparse

from margin.core import FitError
from margin.distributions import StudentT
from margin.linear import Ridge
from tools.fuzz import __main__ as fuzz
from tools.fuzz.laws import Law
from tools.fuzz.tables import Case, case
from tools.fuzz.trial import Trial, fault_of, make, raw, silent_nan

SOUND = Case(np.eye(4), np.arange(4.0), None, "sound", True)


class Model:
    def __init__(self, act):
        self.act = act

    def fit(self, X, y):
        self.act(self)

    def __repr__(self):
        return "Model()"


def outcome(act, monkeypatch, **limits):
    monkeypatch.setattr(fuzz, "make", lambda number, only: Trial(Model(act), SOUND))
    return [fault for _, _, fault in fuzz.outcomes([1, 2], **limits)]


def test_a_sound_fit_is_no_fault():
    assert fault_of(Trial(Ridge(), SOUND)) == ""


def test_the_same_number_is_the_same_trial():
    first, second = make(11), make(11)
    assert first.story == second.story
    assert type(first.model) is type(second.model)


def test_a_clear_error_is_no_fault():
    assert fault_of(Trial(Ridge(alpha=-1.0), SOUND)) == ""
    bad = SOUND._replace(X=np.full((4, 4), np.nan))
    assert fault_of(Trial(Ridge(), bad)) == ""


@pytest.mark.parametrize(
    "error", [KeyError("x"), ZeroDivisionError("x"), np.linalg.LinAlgError("x"), ValueError("")]
)
def test_raw_errors_are_named(error):
    with pytest.raises(type(error)) as caught:
        raise error
    assert raw(caught.value).startswith(f"raw error {type(error).__name__}")


def test_an_error_of_a_library_below_is_raw_even_if_of_the_right_kind():
    with pytest.raises(ValueError, match="inhomogeneous") as caught:
        np.array([[1.0], [1.0, 2.0]])
    assert raw(caught.value).startswith("raw error ValueError")
    assert issubclass(FitError, ArithmeticError)


def test_silent_nan_in_attributes_and_answers():
    model = Ridge().fit(SOUND.X, SOUND.y)
    assert silent_nan(model, {"predict": np.ones(3)}) == ""
    assert silent_nan(model, {"predict": np.array([1.0, np.nan])}) == "silent NaN in predict"
    model.coef_ = np.array([np.nan])
    assert silent_nan(model, {}) == "silent NaN in coef_"


@dataclass(frozen=True)
class Held:
    inside: object


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ([1.0, np.array([np.nan])], "x_ 1"),
        ((0.0, [np.nan]), "x_ 1 0"),
        ({"mean": np.array([0.0, np.nan])}, "x_ mean"),
        (Held({"trace": np.array([np.nan])}), "x_ inside trace"),
        (sparse.csr_array(np.array([[0.0, np.nan]])), "x_"),
    ],
)
def test_silent_nan_inside_of_what_is_answered(value, place):
    model = Ridge().fit(SOUND.X, SOUND.y)
    model.x_ = value
    assert silent_nan(model, {}) == f"silent NaN in {place}"


def test_silent_nan_in_the_report_of_a_fit():
    model = Ridge().fit(SOUND.X, SOUND.y)
    model.fit_report_ = replace(model.fit_report_, objective=float("nan"))
    assert silent_nan(model, {}) == "silent NaN in fit_report_ objective"


def test_nan_that_stands_for_nothing_is_left_alone():
    trace = {"objective": np.array([1.0, 0.5]), "error": np.array([np.nan, 0.2])}
    model = Ridge().fit(SOUND.X, SOUND.y)
    model.x_ = Held({"trace": trace, "threshold": np.array([0.5, np.nan])})
    assert silent_nan(model, {}) == ""


@pytest.mark.parametrize(
    ("column", "numbers"), [("objective", [np.nan, 0.5]), ("error", [0.1, np.nan])]
)
def test_other_nan_of_a_trace_is_silent(column, numbers):
    model = Ridge().fit(SOUND.X, SOUND.y)
    model.x_ = Held({"trace": {column: np.array(numbers)}})
    assert silent_nan(model, {}) == f"silent NaN in x_ inside trace {column}"


def test_what_holds_no_numbers_or_is_far_inside_is_left_alone():
    model = Ridge().fit(SOUND.X, SOUND.y)
    model.words_ = ["nan", None, np.array(["nan"]), np.array([None, np.nan], dtype=object)]
    model.far_ = [[[[np.nan]]]]
    assert silent_nan(model, {}) == ""


def test_frames_of_two_libraries_are_drawn():
    kinds = {
        type(case(np.random.default_rng(seed), task="density", kind=kind).X).__module__[:6]
        for kind in ("table", "categorical")
        for seed in range(60)
    }
    assert {"pandas", "polars", "numpy"} <= kinds


def test_a_child_that_dies_costs_one_trial(monkeypatch):
    faults = outcome(lambda model: os.kill(os.getpid(), signal.SIGSEGV), monkeypatch)
    assert faults == ["died of signal 11", "died of signal 11"]


def test_a_fit_without_end_is_ended(monkeypatch):
    def endless(model):
        while True:
            pass

    faults = outcome(endless, monkeypatch, seconds=0.2)
    assert faults == ["no end after 0.2 s", "no end after 0.2 s"]


def test_a_fit_that_sleeps_is_ended(monkeypatch):
    monkeypatch.setattr(fuzz, "PATIENCE", 2.0)
    faults = outcome(lambda model: time.sleep(60), monkeypatch, seconds=0.5)
    assert faults == ["asleep for 1 s", "asleep for 1 s"]


def test_memory_is_limited(monkeypatch):
    def greedy(model):
        model.x_ = np.ones(10**9)

    with pytest.raises(MemoryError):
        raise MemoryError("for comparison")
    faults = outcome(greedy, monkeypatch, memory=4 << 30)
    assert all("MemoryError" in fault for fault in faults)


def test_a_run_says_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr(fuzz, "make", lambda number, only: Trial(Model(lambda model: None), SOUND))
    monkeypatch.setattr(fuzz, "REPORT", 2)
    monkeypatch.setattr("sys.argv", ["fuzz", "--trials", "3"])
    assert fuzz.main() == 0
    told = capsys.readouterr()
    assert told.err.strip() == "2 trials, 0 faults"
    assert told.out.strip() == "3 trials, 0 faults {}"


class Lonely:
    """Answers NaN, after a warning or without."""

    def __init__(self, *told):
        self.told = told

    def fit(self, X, y):
        return self

    def predict(self, X):
        for category, text in self.told:
            warnings.warn(text, category, stacklevel=2)
        return np.full(len(X), np.nan)


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ([], "silent NaN in predict"),
        ([(UserWarning, "no neighbors: predicting NaN.")], ""),
        ([(UserWarning, "tree is slow here")], "silent NaN in predict"),
        ([(RuntimeWarning, "All-NaN slice encountered")], "silent NaN in predict"),
    ],
)
def test_only_a_warning_in_words_makes_nan_heard(told, fault):
    assert fault_of(Trial(Lonely(*told), SOUND)) == fault


def test_a_mean_that_does_not_exist_is_no_fault(monkeypatch):
    rows = np.random.default_rng(0).standard_cauchy((400, 1)) ** 3
    law = Law("StudentT").fit(rows)
    assert law._law.df[0] <= 1
    assert silent_nan(law, {}) == ""
    monkeypatch.setattr(StudentT, "mean", np.array([np.nan]))
    assert silent_nan(Law("StudentT").fit(np.arange(9.0)[:, None]), {}) == "silent NaN in mean_"
