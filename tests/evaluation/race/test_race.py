"""All models over all folds."""

import contextlib
import os
import signal
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
from sklearn.linear_model import LinearRegression, Ridge

from margin.evaluation.race import _course
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._prepared import prepare
from margin.evaluation.race._progress import Progress
from margin.evaluation.race._race import race
from margin.evaluation.race._run import Clock


def models(**estimators):
    return [Entrant(name, "x", estimator) for name, estimator in estimators.items()]


@pytest.fixture(autouse=True)
def interruptible():
    """Ctrl-C raises, also where the tests were started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_fold_by_fold_all_models(line_run):
    raced = race(line_run(models(a=Ridge(), b=LinearRegression()), jobs=1))
    turns = [(o.fold, o.model) for o in raced.outcomes]
    assert turns == [(fold, name) for fold in range(10) for name in "ab"]
    assert not raced.interrupted
    assert not raced.out_of_time


def test_the_first_fold_alone_changes_no_score(line_run):
    field = models(a=Ridge(), b=LinearRegression())
    runs = [race(line_run(field, jobs=jobs)) for jobs in (1, None)]
    scores = [[(o.model, o.fold, o.score) for o in run.outcomes] for run in runs]
    assert scores[0] == scores[1]


def test_a_model_that_fails_starts_no_further_fold(line_run, fake):
    field = models(bad=fake.Failing(), good=Ridge())
    raced = race(line_run(field, jobs=1))
    assert raced.failed == {"bad": "cannot do this"}
    assert [o.model for o in raced.outcomes].count("bad") == 1
    assert [o.model for o in raced.outcomes].count("good") == 10


def test_after_the_deadline_only_baselines_of_the_first_fold(line_run):
    field = [Entrant("base", "x", Ridge(), is_baseline=True), *models(a=Ridge())]
    raced = race(line_run(field, jobs=1, clock=Clock(1e-9)))
    assert [(o.model, o.fold) for o in raced.outcomes] == [("base", 0)]
    assert raced.out_of_time


def test_interruption_keeps_what_is_finished(line_run, fake):
    field = models(a=Ridge(), b=fake.Interrupting())
    raced = race(line_run(field, jobs=1))
    assert raced.interrupted
    assert [(o.model, o.fold) for o in raced.outcomes] == [
        *[(m, f) for f in (0, 1) for m in "ab"],
        ("a", 2),
    ]


def test_interruption_that_an_engine_swallows_still_counts(line_run):
    class Swallowing(Ridge):
        def fit(self, X, y):
            with contextlib.suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            return super().fit(X, y)

    raced = race(line_run(models(a=Ridge(), b=Swallowing()), jobs=1))
    assert raced.interrupted
    assert [o.model for o in raced.outcomes] == ["a"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_progress_hears_of_every_outcome(line_run):
    heard = []
    listener = SimpleNamespace(update=lambda *args: heard.append(args))
    raced = race(line_run(models(a=Ridge()), jobs=1, progress=Progress(listener)))
    assert heard == [(o.model, o.fold, o.score, o.seconds) for o in raced.outcomes]


SCRIPT = """
import numpy as np, pandas as pd, signal, time, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from sklearn.linear_model import Ridge
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.table._problem import state_problem
from margin.evaluation.race._progress import Progress
from margin.evaluation.race._race import race
from margin.evaluation.race._run import Run
from margin.evaluation.table._split import Split

class Slow(Ridge):
    def fit(self, X, y):
        time.sleep(0.2)
        return super().fit(X, y)

class Loud:
    def update(self, *args):
        print("outcome", flush=True)

rng = np.random.default_rng(0)
frame = pd.DataFrame({"x": rng.normal(size=50), "y": rng.normal(size=50)})
problem = state_problem(frame, "y")
rows = np.arange(50)
split = Split(rows, rows[:0], rows[:0])
field = [Entrant(f"m{i}", "x", Slow()) for i in range(50)]
training = problem.training(rows, 0)
run = Run(problem, split, training, tuple(field), jobs=2, progress=Progress(Loud()))
raced = race(run)
print("interrupted", raced.interrupted, len(raced.outcomes) > 0)
"""


@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_ctrl_c_stops_the_workers_too():
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout.readline() == "outcome\n"
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert out.splitlines()[-1] == "interrupted True True"
    assert "Traceback" not in err


def test_with_a_budget_that_does_not_bind_workers_change_nothing(line_run, fake):
    field = [
        *models(a=Ridge(), b=LinearRegression(), c=Ridge(1e6), d=Ridge(1e5)),
        Entrant("e", "x", fake.Shrunk(), fake.Shrunk.card),
    ]
    runs = [race(line_run(field, jobs=jobs, clock=Clock(1e4))) for jobs in (1, 2)]
    one, other = ([(o.model, o.fold, o.score, o.setting) for o in r.outcomes] for r in runs)
    assert one == other
    assert runs[0].left == runs[1].left
    assert set(runs[0].left) == {"c", "d"}


def test_workers_score_as_this_process_does(line_run, fake):
    field = [Entrant("a", "x", fake.Shrunk(), fake.Shrunk.card), *models(b=Ridge())]
    runs = [race(line_run(field, jobs=jobs)) for jobs in (1, 2)]
    scores = [sorted((o.model, o.fold, o.score) for o in run.outcomes) for run in runs]
    assert len(scores[0]) == 20
    assert scores[0] == scores[1]


def test_matrices_are_made_once_per_fold_for_all_models(line_run, fake, monkeypatch):
    made = []
    monkeypatch.setattr(
        _course,
        "prepare",
        lambda training, k, tuned: made.append((k, tuned)) or prepare(training, k),
    )
    race(line_run(models(a=Ridge(), b=LinearRegression()), jobs=1))
    assert made == [(fold, False) for fold in range(10)]
    made.clear()
    race(line_run([Entrant("a", "x", fake.Shrunk(), fake.Shrunk.card)], jobs=1))
    assert made == [(fold, True) for fold in range(10)]


def test_preprocessing_that_fails_fails_every_model(line_run):
    run = line_run(models(a=Ridge(), b=LinearRegression()), jobs=1)
    broken = replace(run.training, preprocessor=object())
    raced = race(replace(run, training=broken))
    assert set(raced.failed) == {"a", "b"}
    assert all("TypeError" in text for text in raced.failed.values())
    assert len(raced.outcomes) == 2
