import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom

from margin.causal import AverageEffect
from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._through_mediators import FrontDoor


def world(n, rng):
    u = rng.random(n) < 0.5
    t = (rng.random(n) < 0.2 + 0.6 * u).astype(int)
    m = (rng.random(n) < 0.1 + 0.7 * t).astype(int)
    y = 1.5 * m + 2 * u + rng.normal(0, 0.5, n)
    return {"t": t, "m": m, "y": y}


def test_a_hidden_cause_is_passed_by():
    """causal.23: the truth is 0.7 * 1.5, and the score of a row is its derivative"""
    frame = world(20_000, np.random.default_rng(0))
    data = effect_data("A", frame, ("t",), "y", (), mediators=("m",))
    scores = FrontDoor().scores(data, Nuisance())
    error = np.sqrt((scores.influence**2).sum()) / data.n
    assert abs(scores.values[0] - 1.05) < 4 * error < 0.1
    small = data.rows(np.arange(200))
    base = FrontDoor().scores(small, Nuisance())
    for row in (0, 5, 9):
        weight = np.ones(200)
        weight[row] += 1e-5
        slope = (FrontDoor().scores(small.weighted(weight), Nuisance()).values - base.values) * 2e7
        assert_allclose(base.influence[row], slope, atol=1e-3)


def test_what_is_refused():
    frame = {"t": [0, 1, 0, 1], "m": [0, 1, 0, 1], "y": [0.0, 1, 0, 1]}
    with pytest.raises(ValueError, match="overlap must hold: every value of the mediators"):
        FrontDoor().scores(effect_data("A", frame, ("t",), "y", (), mediators=("m",)), Nuisance())
    with pytest.raises(ValueError, match="mediators must be given"):
        FrontDoor().scores(effect_data("A", frame, ("t",), "y", ()), Nuisance())


def confounded(n, rng):
    """Covariates of everything, mediators and outcomes of numbers; the effect is 1.2."""
    u, c = rng.standard_normal((2, n))
    t = (rng.random(n) < 1 / (1 + np.exp(-u - c))).astype(int)
    m = 0.8 * t + 0.5 * c + rng.standard_normal(n)
    return {"t": t, "m": m, "c": c, "y": 1.5 * m + 2 * u + c + rng.standard_normal(n)}


GRAPH = "dag { t -> m -> y c -> {t m y} t <-> y }"


@pytest.mark.parametrize("target", ["ate", "att", "atc"])
def test_rows_of_lines_add_what_their_weight_does(target):
    """causal.23: scores of the regressions are their derivatives, for every target"""
    frame = confounded(300, np.random.default_rng(1))
    data = effect_data("A", frame, ("t",), "y", ("c",), mediators=("m",), target=target)
    base = FrontDoor().scores(data, Nuisance())
    assert_allclose(base.influence.mean(axis=0), 0, atol=1e-9)
    for row in (0, 5, 9):
        weight = np.ones(300)
        weight[row] += 1e-5
        near = FrontDoor().scores(data.weighted(weight), Nuisance())
        assert_allclose(base.influence[row], (near.values - base.values) * 3e7, atol=2e-3)


def test_lines_and_cells_of_two_levels_agree():
    """With one mediator of two levels a line per level is a mean per cell."""
    frame = world(400, np.random.default_rng(2))
    for target in ("ate", "att", "atc"):
        data = effect_data("A", frame, ("t",), "y", (), mediators=("m",), target=target)
        cells, lines = (FrontDoor(kind).scores(data, Nuisance()) for kind in ("cells", "lines"))
        assert_allclose(cells.values, lines.values)
        assert_allclose(cells.influence, lines.influence, atol=1e-8)
        assert_allclose(list(cells.means.values()), list(lines.means.values()))


def test_targets_differ_where_effects_do():
    """causal.23: by hand, the inner sum has the level that is asked for alone"""
    rng = np.random.default_rng(3)
    frame = world(3000, rng)
    frame["y"] = frame["y"] + frame["m"] * (frame["t"] + 0.5 * rng.standard_normal(3000))
    t, m, y = (frame[k] for k in "tmy")
    given = [m[t == a].mean() for a in (0, 1)]
    cell = {a: [y[(t == a) & (m == v)].mean() for v in (0, 1)] for a in (0, 1)}
    by = {a: (given[1] - given[0]) * (cell[a][1] - cell[a][0]) for a in (0, 1)}
    for target, truth in (("att", by[1]), ("atc", by[0])):
        data = effect_data("A", frame, ("t",), "y", (), mediators=("m",), target=target)
        assert_allclose(FrontDoor().scores(data, Nuisance()).values, truth)


@pytest.mark.parametrize("kind", ["levels", "amounts", "cells"])
def test_coverage(kind):
    """causal.23: intervals of 90 % with covariates, numbers, and continuous treatments"""
    rng, inside, found, times = np.random.default_rng(4), 0, [], 200
    graph, truth = GRAPH, 1.2
    for _ in range(times):
        if kind == "cells":
            frame, graph, truth = world(500, rng), "dag { t -> m -> y t <-> y }", 1.05
        else:
            frame = confounded(300, rng)
        if kind == "amounts":
            u = rng.standard_normal(300)
            frame["t"] = u + frame["c"] + rng.standard_normal(300)
            frame["m"] = 0.8 * frame["t"] + frame["c"] + rng.standard_normal(300)
            frame["y"] = 1.5 * frame["m"] + 2 * u + frame["c"] + rng.standard_normal(300)
        more = {} if kind == "cells" else {"mediators": ["m"], "adjustment": ["c"]}
        model = AverageEffect(graph, "t", "y", level=0.9, **more).fit(frame)
        inside += model.interval_[0] <= truth <= model.interval_[1]
        found.append(model.effect_)
    low, high = binom.ppf([0.0005, 0.9995], times, 0.9)
    assert low <= inside <= high
    assert abs(np.mean(found) - truth) < 4 * np.std(found) / np.sqrt(times)


def test_words_and_bad_choices():
    frame = world(200, np.random.default_rng(5))
    words = {**frame, "m": np.array(["no", "yes"])[frame["m"]]}
    both = [
        FrontDoor().scores(effect_data("A", f, ("t",), "y", (), mediators=("m",)), Nuisance())
        for f in (frame, words)
    ]
    assert_allclose(both[0].values, both[1].values)
    with pytest.raises(ValueError, match="FrontDoor: kind must be one of"):
        FrontDoor("both")
    many = effect_data("A", confounded(60, np.random.default_rng(6)), ("t",), "y", ("c",),
                       mediators=("m",))  # fmt: skip
    with pytest.raises(ValueError, match="mediators must be of at most 10 levels"):
        FrontDoor("cells").scores(many, Nuisance())
    with pytest.raises(ValueError, match="adjustment must be left out for cells"):
        FrontDoor("cells", n_levels=100).scores(many, Nuisance())
