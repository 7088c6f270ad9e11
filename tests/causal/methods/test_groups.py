import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._groups import (
    NaiveDifference,
    PropensityStratification,
    Stratification,
    cut,
)
from margin.causal.methods._nuisance import Nuisance


def made(frame, covariates, **more):
    return effect_data("A", frame, ("t",), "y", covariates, **more)


def test_by_hand():
    """causal.18, causal.15"""
    frame = {"t": [0, 1, 0, 1, 1], "y": [1.0, 3, 10, 11, 15], "z": list("aabbb")}
    found = Stratification().scores(made(frame, ("z",)), Nuisance())
    assert_allclose(found.values, 2 / 5 * 2 + 3 / 5 * 3)
    assert_allclose(NaiveDifference().scores(made(frame, ()), Nuisance()).values, 29 / 3 - 5.5)
    treated = Stratification().scores(made(frame, ("z",), target="att"), Nuisance())
    assert_allclose(treated.values, 1 / 3 * 2 + 2 / 3 * 3)


def test_at_most_five_levels_per_covariate():
    """causal.18: coarse quantiles"""
    assert len(np.unique(cut(np.random.default_rng(0).random(500), 5))) == 5
    assert cut(np.array([3, 1, 3]), 5).tolist() == [1, 0, 1]
    with pytest.raises(ValueError, match="covariate must be of at most 2 levels"):
        cut(np.array(list("abc")), 2)


def test_propensity_strata_take_most_of_the_bias():
    """causal.20"""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(8000)
    t = (rng.random(8000) < 1 / (1 + np.exp(-x))).astype(int)
    data = made({"x": x, "t": t, "y": 2 * x + t}, ("x",))
    naive = NaiveDifference().scores(data, Nuisance()).values[0] - 1
    five = PropensityStratification().scores(data, Nuisance()).values[0] - 1
    many = PropensityStratification(20).scores(data, Nuisance()).values[0] - 1
    assert abs(five) < 0.15 * naive
    assert abs(many) < 0.05 * naive


def test_an_empty_cell_is_named():
    frame = {"t": [0, 0, 0, 1], "y": [1.0, 2, 3, 4], "z": list("aabb")}
    with pytest.raises(ValueError, match=r"none of level 1 in 1 strata \(such as rows \[0, 1\]\)"):
        Stratification().scores(made(frame, ("z",)), Nuisance())
