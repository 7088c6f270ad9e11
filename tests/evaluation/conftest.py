"""Small tables, and models that behave or misbehave in a known way."""

import math
import time
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.linear_model import LogisticRegression, Ridge

from margin.core import Card, FitReport, Status
from margin.evaluation.race._limit import OverTimeError
from margin.evaluation.race._run import Run
from margin.evaluation.table._problem import state_problem
from margin.evaluation.table._split import Split


class Shrunk(RegressorMixin, BaseEstimator):
    """Ridge regression with a card."""

    card = Card(tasks=("regression",), search_space={"alpha": (1e-3, 1e3, "log")})

    def __init__(self, *, alpha=1.0):
        self.alpha = alpha

    def fit(self, X, y):
        self.model_ = Ridge(alpha=self.alpha).fit(X, y)
        self.fit_report_ = FitReport("Shrunk", "exact", Status.CONVERGED, 1, 0.0)
        return self

    def predict(self, X):
        return self.model_.predict(X)


class Logit(ClassifierMixin, BaseEstimator):
    """Logistic regression with a card; its report says that it ran out of iterations."""

    card = Card(tasks=("classification",), search_space={"C": [0.1, 1.0]})

    def __init__(self, *, C=1.0):
        self.C = C

    def fit(self, X, y):
        self.model_ = LogisticRegression(C=self.C).fit(X, y)
        self.classes_ = self.model_.classes_
        self.fit_report_ = FitReport("Logit", "some solver", Status.MAX_ITER, 7, 0.5)
        return self

    def predict(self, X):
        return self.model_.predict(X)

    def predict_proba(self, X):
        return self.model_.predict_proba(X)


class Failing(RegressorMixin, ClassifierMixin, BaseEstimator):
    """Refuses every fit."""

    card = Card(tasks=("regression", "classification"))

    def fit(self, X, y):
        raise ValueError("cannot do this\nand more that nobody wants to read")

    def predict(self, X):
        raise AssertionError("never fitted")


class Interrupting(RegressorMixin, ClassifierMixin, BaseEstimator):
    """The user presses Ctrl-C during its third fit."""

    card = Card(tasks=("regression", "classification"))
    fits = 0

    def fit(self, X, y):
        type(self).fits += 1
        if type(self).fits == 3:
            raise KeyboardInterrupt
        self.value_ = y[0]
        return self

    def predict(self, X):
        return np.full(len(X), self.value_)


class Coin(ClassifierMixin, BaseEstimator):
    """Guesses; the guess depends on the random state alone."""

    def __init__(self, *, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.random.default_rng(self.random_state).choice(self.classes_, len(X))


class FakeClock:
    """Seconds that pass only when a model spends them, and a limit that stops it."""

    def __init__(self):
        self.now, self.ends = 0.0, math.inf

    def spend(self, seconds):
        if self.now + seconds > self.ends:
            self.now = max(self.ends, self.now)
            raise OverTimeError
        self.now += seconds

    @contextmanager
    def limit(self, seconds):
        self.ends = self.now + seconds
        try:
            yield
        finally:
            self.ends = math.inf


class Costly(RegressorMixin, BaseEstimator):
    """Ridge regression whose fit takes ``unit`` seconds times a power of the rows."""

    clock = FakeClock()
    fits: list = []

    def __init__(self, *, unit=1e-3, power=1, alpha=1.0):
        self.unit, self.power, self.alpha = unit, power, alpha

    def fit(self, X, y):
        self.fits.append(X.shape)
        self.clock.spend(self.unit * len(X) ** self.power)
        self.model_ = Ridge(alpha=self.alpha).fit(X, y)
        return self

    def predict(self, X):
        return self.model_.predict(X)


@pytest.fixture
def clock(monkeypatch):
    """A clock that only the fits of ``Costly`` move."""
    fresh = FakeClock()
    monkeypatch.setattr(Costly, "clock", fresh)
    monkeypatch.setattr(Costly, "fits", [])
    monkeypatch.setattr(time, "perf_counter", lambda: fresh.now)
    monkeypatch.setattr("margin.evaluation.race._fold.time_limit", fresh.limit)
    monkeypatch.setattr("margin.evaluation.race._tuning.time_limit", fresh.limit)
    return fresh


@pytest.fixture
def fake():
    Interrupting.fits = 0
    return SimpleNamespace(
        Shrunk=Shrunk,
        Logit=Logit,
        Failing=Failing,
        Interrupting=Interrupting,
        Coin=Coin,
        Costly=Costly,
    )


@pytest.fixture
def line():
    """A line with noise, a column that does not matter, and one class column."""
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=(2, 120))
    kind = rng.choice(["a", "b"], 120)
    return pd.DataFrame({"x": x, "z": z, "kind": kind, "y": 2 * x + 0.3 * rng.normal(size=120)})


@pytest.fixture
def two_classes():
    """Two classes that a line through x separates nearly."""
    rng = np.random.default_rng(1)
    x, z = rng.normal(size=(2, 150))
    label = np.where(x + 0.4 * rng.normal(size=150) > 0, "yes", "no")
    return pd.DataFrame({"x": x, "z": z, "label": label})


@pytest.fixture
def line_training(line):
    return state_problem(line, "y").training(np.arange(90), 0)


@pytest.fixture
def class_training(two_classes):
    return state_problem(two_classes, "label").training(np.arange(120), 0)


def whole_run(problem, training, entrants, **options):
    """A run on given training rows; all other rows are test rows."""
    n_train = len(training.y)
    split = Split(np.arange(n_train), np.arange(0), np.arange(n_train, len(problem.y)))
    return Run(problem, split, training, tuple(entrants), **options)


@pytest.fixture
def line_run(line, line_training):
    """Makes a run of the given entrants on the line."""
    return partial(whole_run, state_problem(line, "y"), line_training)
