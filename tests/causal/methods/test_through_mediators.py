import numpy as np
import pytest
from numpy.testing import assert_allclose

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
