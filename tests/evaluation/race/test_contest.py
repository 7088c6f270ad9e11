"""A race against a clock that only the models move."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge

from margin.core import Card
from margin.evaluation.race import _contest
from margin.evaluation.race._contest import too_dear
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._progress import Progress
from margin.evaluation.race._race import race
from margin.evaluation.race._run import Clock, Run
from margin.evaluation.race._trials import Trials
from margin.evaluation.table._problem import state_problem
from margin.evaluation.table._split import Split

BASE = Entrant("base", "x", Ridge(1e9), is_baseline=True)


def folds_of(raced):
    names = {o.model for o in raced.outcomes}
    return {name: sum(o.model == name for o in raced.outcomes) for name in sorted(names)}


@pytest.fixture
def contest(line_run, fake, clock):
    """Run models of known cost against a budget; ``a=(seconds of a fit, alpha)``."""

    def run(budget, **models):
        field = [
            Entrant(name, "x", fake.Costly(unit=seconds, power=0, alpha=alpha))
            for name, (seconds, alpha) in models.items()
        ]
        return race(line_run([BASE, *field], jobs=1, clock=Clock(budget, 0.0)))

    return run


def test_an_ample_budget_runs_every_fold_of_equals(contest):
    raced = contest(1e6, a=(0.1, 1.0), b=(0.1, 1.1), c=(0.1, 0.9))
    assert folds_of(raced) == {"a": 10, "b": 10, "base": 10, "c": 10}
    assert (raced.left, raced.stopped, raced.out_of_time) == ({}, {}, False)


def test_the_hopeless_leave_and_the_clock_is_not_why(contest):
    raced = contest(1e6, a=(0.1, 1.0), b=(0.1, 1.1), c=(0.1, 0.9), bad=(0.1, 1e6))
    assert set(raced.left) == {"bad"}
    assert "behind" in raced.left["bad"]
    assert folds_of(raced)["bad"] < 10
    assert not raced.out_of_time


def test_the_leaders_get_five_folds_before_others_get_more(contest, clock):
    many = {f"m{i}": (0.5, 1.0 + i) for i in range(12)}
    raced = contest(30.0, **many)
    counts = sorted(folds_of(raced).values(), reverse=True)
    assert min(counts[:4]) >= 5
    assert raced.out_of_time
    assert clock.now <= 30.0


def test_the_slowest_starves_nobody(contest, clock):
    raced = contest(60.0, slow=(40.0, 1.0), a=(0.1, 1.0), b=(0.1, 1.0), c=(0.1, 1.0))
    assert {name: n for name, n in folds_of(raced).items() if name in "abc"} == dict.fromkeys(
        "abc", 10
    )
    assert "slow" in {**raced.waiting, **raced.stopped}
    assert "slow" not in folds_of(raced)
    assert clock.now < 20.0


def test_a_model_that_explodes_is_stopped_at_its_limit(line_run, fake, clock):
    class Exploding(fake.Costly):
        def fit(self, X, y):
            self.clock.spend(1e9 if len(X) > 70 else 0.0)
            return super().fit(X, y)

    quick = [Entrant(n, "x", fake.Costly(unit=0.01, power=0)) for n in "abc"]
    field = [BASE, *quick, Entrant("bomb", "x", Exploding(unit=0.01, power=0))]
    raced = race(line_run(field, jobs=1, clock=Clock(60.0, 0.0)))
    assert set(raced.stopped) == {"bomb"}
    assert "on 72 rows" in raced.stopped["bomb"]
    assert folds_of(raced) == {"a": 10, "b": 10, "base": 10, "c": 10}
    assert clock.now < 40.0


def test_everything_too_slow_leaves_the_baselines(contest, clock):
    raced = contest(10.0, a=(60.0, 1.0), b=(70.0, 1.0))
    assert set(folds_of(raced)) == {"base"}
    assert set({**raced.waiting, **raced.stopped}) == {"a", "b"}
    assert clock.now <= 10.0


def test_a_cost_below_the_budget_is_not_called_over_it():
    assert too_dear(90.0, 60.0) == "needs about 90 s per fold, over the budget"
    assert too_dear(0.2, 60.0) == "needs about 0.2 s per fold, more than was left for it"
    assert too_dear(90.0, 60.0, untried=True) == "no time left to try it"


def test_a_slower_machine_than_expected_ends_in_time(line_run, fake, clock):
    class Tiring(fake.Costly):
        def fit(self, X, y):
            self.clock.spend(0.02 * len(self.fits))
            return super().fit(X, y)

    field = [BASE, *(Entrant(f"m{i}", "x", Tiring(unit=0.0)) for i in range(8))]
    raced = race(line_run(field, jobs=1, clock=Clock(20.0, 0.0)))
    assert clock.now <= 20.0
    assert len(folds_of(raced)) == 9


def test_the_time_of_those_who_left_goes_into_tuning(line_run, fake, clock):
    card = Card(tasks=("regression",), search_space={"alpha": [0.5, 1.0, 2.0, 3.0]})
    tuned = [Entrant(n, "x", fake.Costly(unit=0.4, power=0), card) for n in "abc"]
    worse = [Entrant(f"w{i}", "x", fake.Costly(unit=0.4, power=0, alpha=1e6)) for i in range(20)]
    raced = race(line_run([BASE, *tuned, *worse], jobs=1, clock=Clock(150.0, 0.0)))
    assert {e.note for e in raced.entrants if e.name in "abc"} == {""}
    assert all(n >= 5 for name, n in folds_of(raced).items() if name in "abc")
    assert clock.now <= 150.0


@pytest.fixture
def large_run(fake, clock, monkeypatch):
    monkeypatch.setattr(_contest, "SCREEN_ROWS", 200)
    monkeypatch.setattr("margin.evaluation.table._folds._REPEATS", 1)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 3))
    frame = pd.DataFrame(X).add_prefix("x").assign(y=X.sum(axis=1) + rng.normal(size=1000))
    problem = state_problem(frame, "y")
    rows = np.arange(1000)
    training = problem.training(rows, 0)

    def run(field, budget):
        whole = Split(rows, rows[:0], rows[:0])
        clocked = Clock(budget, 0.0)
        return race(Run(problem, whole, training, (BASE, *field), jobs=1, clock=clocked))

    return run


def test_a_large_table_is_looked_at_in_part_first(large_run, fake):
    fits = dict.fromkeys(("a", "b", "c", "bad"), 0)

    class Named(fake.Costly):
        def __init__(self, *, name="", alpha=1.0):
            super().__init__(unit=1e-4, alpha=alpha)
            self.name = name

        def fit(self, X, y):
            fits[self.name] = max(fits[self.name], len(X))
            return super().fit(X, y)

    field = [Entrant(n, "x", Named(name=n, alpha=1e7 if n == "bad" else 1.0)) for n in fits]
    raced = large_run(field, 1e5)
    assert raced.left["bad"].endswith("on 200 rows")
    assert fits == {"a": 800, "b": 800, "c": 800, "bad": 256}
    assert folds_of(raced) == {"a": 5, "b": 5, "base": 5, "c": 5}


def test_what_was_chosen_on_part_of_the_rows_is_not_searched_again(large_run, fake):
    card = Card(tasks=("regression",), search_space={"alpha": [0.5, 1e5]})
    raced = large_run([Entrant(n, "x", fake.Costly(), card) for n in "abc"], 1e6)
    assert all(o.setting.get("alpha") != 1e5 for o in raced.outcomes)
    assert all(e.chosen is None for e in raced.entrants)
    # First fold: one search on 3 inner folds; the other four folds have one each.
    searched = [rows for rows, _ in fake.Costly.fits if rows in (400, 533, 534)]
    assert len(searched) == 3 * 5 * (3 + 3 + 3)


def test_a_model_that_no_trial_reached_runs_last_and_without_a_search(
    line_run, fake, clock, monkeypatch
):
    spaces = Card(tasks=("regression",), search_space={"alpha": (0.1, 10.0, "log")})
    quick = [Entrant(n, "x", fake.Costly(unit=0.01, power=0)) for n in "abc"]
    unknown = Entrant("aaa", "x", fake.Costly(unit=0.01, power=0), spaces)
    usual = _contest.try_out

    def reaching_some(entrants, *args, **kwargs):
        found = usual([e for e in entrants if e.name != "aaa"], *args, **kwargs)
        return {**found, "aaa": Trials()}

    monkeypatch.setattr(_contest, "try_out", reaching_some)
    seen = []

    class Told:
        def update(self, model, fold, score, seconds):
            seen.append((model, fold, len(fake.Costly.fits)))

    run = line_run(
        [BASE, unknown, *quick], jobs=1, clock=Clock(60.0, 0.0), progress=Progress(Told())
    )
    raced = race(run)
    assert sorted(model for model, _, _ in seen[:4]) == ["a", "b", "base", "c"]
    assert seen[4][0] == "aaa"
    assert seen[4][2] - seen[3][2] == 1
    assert folds_of(raced)["aaa"] == 10


def test_leaders_have_their_folds_before_time_is_kept_for_a_curve(contest, clock):
    # a fit of 1 s: five folds of three leaders are 15 s of 27
    raced = contest(27.0, a=(1.0, 1.0), b=(1.0, 1.1), c=(1.0, 0.9))
    assert min(folds_of(raced)[n] for n in "abc") >= 5
    assert clock.now <= 27.0
