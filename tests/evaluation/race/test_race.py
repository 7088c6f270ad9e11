"""All models over all folds."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from sklearn.linear_model import LinearRegression, Ridge

from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._race import Progress, race, workers

FOREVER = float("inf")


def models(**estimators):
    return [Entrant(name, "x", estimator) for name, estimator in estimators.items()]


@pytest.fixture(autouse=True)
def interruptible():
    """Ctrl-C raises, also where the tests were started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_fold_by_fold_all_models(line_arena):
    found = race(line_arena, models(a=Ridge(), b=LinearRegression()), deadline=FOREVER, jobs=1)
    turns = [(o.fold, o.model) for o in found.outcomes]
    assert turns == [(fold, name) for fold in range(10) for name in "ab"]
    assert not found.interrupted
    assert not found.out_of_time


def test_the_first_fold_alone_changes_no_score(line_arena):
    field = models(a=Ridge(), b=LinearRegression())
    runs = [race(line_arena, field, deadline=FOREVER, jobs=jobs) for jobs in (1, None)]
    scores = [[(o.model, o.fold, o.score) for o in run.outcomes] for run in runs]
    assert scores[0] == scores[1]


def test_a_model_that_fails_starts_no_further_fold(line_arena, fake):
    field = models(bad=fake.Failing(), good=Ridge())
    found = race(line_arena, field, deadline=FOREVER, jobs=1)
    assert found.failed == {"bad": "cannot do this"}
    assert [o.model for o in found.outcomes].count("bad") == 1
    assert [o.model for o in found.outcomes].count("good") == 10


def test_after_the_deadline_only_baselines_of_the_first_fold(line_arena):
    field = [Entrant("base", "x", Ridge(), is_baseline=True), *models(a=Ridge())]
    found = race(line_arena, field, deadline=time.perf_counter() - 1, jobs=1)
    assert [(o.model, o.fold) for o in found.outcomes] == [("base", 0)]
    assert found.out_of_time


def test_no_turn_is_begun_that_would_end_well_after_the_deadline(line_arena, monkeypatch):
    clock = {"now": 0.0}
    monkeypatch.setattr(time, "perf_counter", lambda: clock["now"])

    class Slow(Ridge):
        def fit(self, X, y):
            clock["now"] += 10.0
            return super().fit(X, y)

    found = race(line_arena, models(a=Slow()), deadline=24.0, jobs=1)
    assert len(found.outcomes) == 2
    found = race(line_arena, models(a=Slow()), deadline=clock["now"] + 26.0, jobs=1)
    assert len(found.outcomes) == 3
    assert found.longest("a") == 10.0


def test_workers_are_counted_as_by_joblib():
    assert workers(1) == 1
    assert workers(3) == 3
    assert workers(-1) == workers(None) or workers(None) <= 8


def test_interruption_keeps_what_is_finished(line_arena, fake):
    field = models(a=Ridge(), b=fake.Interrupting())
    found = race(line_arena, field, deadline=FOREVER, jobs=1)
    assert found.interrupted
    assert [(o.model, o.fold) for o in found.outcomes] == [
        *[(m, f) for f in (0, 1) for m in "ab"],
        ("a", 2),
    ]


def test_interruption_that_an_engine_swallows_still_counts(line_arena):
    class Swallowing(Ridge):
        def fit(self, X, y):
            with contextlib.suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            return super().fit(X, y)

    found = race(line_arena, models(a=Ridge(), b=Swallowing()), deadline=FOREVER, jobs=1)
    assert found.interrupted
    assert [o.model for o in found.outcomes] == ["a"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_progress_hears_of_every_outcome(line_arena):
    heard = []
    listener = SimpleNamespace(update=lambda *args: heard.append(args))
    found = race(
        line_arena, models(a=Ridge()), deadline=FOREVER, jobs=1, progress=Progress(listener)
    )
    assert heard == [(o.model, o.fold, o.score, o.seconds) for o in found.outcomes]


def test_progress_may_have_any_of_its_methods():
    progress = Progress(SimpleNamespace(phase=lambda text: text.upper()))
    assert progress.phase("a") == "A"
    assert progress.finish() is None
    assert Progress().start(["m"], 5) is None


SCRIPT = """
import numpy as np, pandas as pd, signal, time, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from sklearn.linear_model import Ridge
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.table._problem import state
from margin.evaluation.race._race import Progress, race

class Slow(Ridge):
    def fit(self, X, y):
        time.sleep(0.2)
        return super().fit(X, y)

class Loud:
    def update(self, *args):
        print("outcome", flush=True)

rng = np.random.default_rng(0)
frame = pd.DataFrame({"x": rng.normal(size=50), "y": rng.normal(size=50)})
arena = state(frame, "y").arena(np.arange(50), 0)
field = [Entrant(f"m{i}", "x", Slow()) for i in range(50)]
found = race(arena, field, deadline=float("inf"), jobs=2, progress=Progress(Loud()))
print("interrupted", found.interrupted, len(found.outcomes) > 0)
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
