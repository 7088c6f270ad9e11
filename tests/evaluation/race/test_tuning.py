"""The inner search."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from margin.core import Card
from margin.evaluation import Metric
from margin.evaluation.race._tuning import candidates, fits_per_fold, rungs, tune
from margin.evaluation.table._training import Part


def card(**space):
    return Card(tasks=("regression",), search_space=space)


def test_one_interval_is_a_grid_that_reaches_its_ends():
    values = [setting["alpha"] for setting in candidates(card(alpha=(1e-3, 1e3, "log")))[1:]]
    np.testing.assert_allclose(values, np.geomspace(1e-3, 1e3, 6))


def test_two_intervals_make_all_pairs():
    found = candidates(card(a=(0.0, 1.0, "linear"), b=(1.0, 100.0, "log")))
    assert found[0] == {}
    pairs = {(s["a"], round(s["b"], 9)) for s in found[1:]}
    assert pairs == {(a, b) for a in (0.0, 0.5, 1.0) for b in (1.0, 10.0, 100.0)}


def test_whole_number_ends_give_whole_numbers():
    values = [s["k"] for s in candidates(card(k=(1, 4, "linear")))[1:]]
    assert values == [1, 2, 3, 4]
    assert all(isinstance(v, int) for v in values)


def test_a_large_grid_is_sampled_without_repetition_by_seed():
    space = {name: list(range(10)) for name in "abcdefgh"}
    found = candidates(card(**space), limit=20, seed=5)
    assert len(found) == 21
    assert len({tuple(s.items()) for s in found}) == 21
    assert found == candidates(card(**space), limit=20, seed=5)
    assert found != candidates(card(**space), limit=20, seed=6)


@pytest.mark.parametrize("nothing", [None, card()])
def test_nothing_to_tune(nothing):
    assert candidates(nothing) == [{}]
    assert candidates(card(a=[1, 2]), limit=0) == [{}]


@pytest.fixture
def parts():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5))
    y = X.sum(axis=1) + 0.1 * rng.normal(size=60)
    return [Part(X[:40], y[:40], X[40:], y[40:]), Part(X[20:], y[20:], X[:20], y[:20])]


def test_the_best_mean_score_wins(parts):
    settings = [{}, {"alpha": 1e6}, {"alpha": 1e-3}, {"alpha": 1e3}]
    metric = Metric("R²")
    means = [
        np.mean(
            [
                metric(p.y_test, Ridge(**s).fit(p.Z_train, p.y_train).predict(p.Z_test))
                for p in parts
            ]
        )
        for s in settings
    ]
    assert tune(Ridge(), parts, settings, metric) == settings[int(np.argmax(means))]


def test_the_first_of_equals_wins(parts):
    settings = [{"alpha": 1.0}, {"alpha": 1.0, "tol": 0.5}]
    assert tune(Ridge(), parts, settings, Metric("R²")) == settings[0]


def test_settings_that_fail_are_passed_over(parts):
    settings = [{"solver": "no such"}, {"alpha": 2.0}]
    assert tune(Ridge(), parts, settings, Metric("R²")) == {"alpha": 2.0}


def test_if_all_fail_the_first_error_is_raised(parts):
    settings = [{"solver": "no such"}, {"solver": "nor this"}]
    with pytest.raises(ValueError, match="no such"):
        tune(Ridge(), parts, settings, Metric("R²"))


def test_a_single_setting_needs_no_data():
    assert tune(Ridge(), (), [{"alpha": 3.0}], Metric("R²")) == {"alpha": 3.0}


def test_every_rung_has_half_the_settings_and_twice_the_rows():
    assert rungs(9, 4000) == [(9, 1000), (5, 2000), (4, 4000)]
    assert rungs(2, 100) == [(2, 100)] * 3
    assert rungs(10, 1000) == [(10, 400), (5, 500), (4, 1000)]


def test_the_cost_of_a_search_is_what_its_rungs_cost():
    assert fits_per_fold(9, 4000, 4000, 1) == pytest.approx(1 + 9 / 4 + 5 / 2 + 4)
    assert fits_per_fold(9, 4000, 4000, 2) == pytest.approx(1 + 9 / 16 + 5 / 4 + 4)


def test_settings_that_fall_behind_see_no_more_rows(fake, clock):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 3))
    y = X.sum(axis=1)
    part = Part(X[:1600], y[:1600], X[1600:], y[1600:])
    settings = [{"alpha": 10.0**k} for k in range(8)]
    best = tune(fake.Costly(unit=0.0), [part] * 3, settings, Metric("R²"))
    assert best == {"alpha": 1.0}
    assert [rows for rows, _ in fake.Costly.fits] == [400] * 8 + [800] * 4 + [1600] * 4


def test_when_the_time_is_up_the_best_so_far_is_taken(fake, clock, parts):
    settings = [{"alpha": 1e6}, {"alpha": 1e-3}, {"alpha": 1e5}]
    chosen = tune(fake.Costly(unit=0.1, power=0), parts, settings, Metric("R²"), seconds=0.25)
    assert chosen == {"alpha": 1e-3}
    nothing = tune(fake.Costly(unit=1.0, power=0), parts, settings, Metric("R²"), seconds=0.5)
    assert nothing == settings[0]
