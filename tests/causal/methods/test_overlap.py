import numpy as np
import pytest
from worlds import COVARIATES, study

from margin.causal import AverageEffect
from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._overlap import (
    NoOverlapError,
    refuse_no_overlap,
    suspicious_propensities,
    warn_of_no_overlap,
    without_chance,
)


def apart(n=200):
    """A covariate that decides the treatment."""
    x = np.random.default_rng(0).standard_normal(n)
    return {"x": x, "t": (x > 0).astype(int), "y": x}


def made(frame, covariates=("x",), **more):
    return effect_data("A", frame, ("t",), "y", covariates, **more)


def test_rows_are_named():
    data = made({"x": [0.0, 1, 2, 3], "t": [0, 0, 1, 1], "y": [1, 2, 3, 4]})
    e = np.array([[0.5, 0.5], [0.0, 1.0], [0.5, 0.5], [1.0, 0.0]])
    assert without_chance(data, e) == "propensity 0 of level 0 in 1 rows (1)"
    with pytest.raises(NoOverlapError, match=r"A: overlap must hold: .* in 1 rows \(1\)"):
        refuse_no_overlap(data, e)
    treated = made({"x": [0.0, 1, 2, 3], "t": [0, 0, 1, 1], "y": [1, 2, 3, 4]}, target="atc")
    assert "level 1 in 1 rows (3)" in without_chance(treated, e)
    assert without_chance(data, np.full((4, 2), 0.5)) is None


def test_a_pass_over_the_rows_tells_whether_a_fit_is_needed():
    frame = study(500, np.random.default_rng(1))
    assert suspicious_propensities(made(frame, tuple(COVARIATES))) is None
    assert suspicious_propensities(made(apart(), ())) is None
    e = suspicious_propensities(made(apart()))
    assert e.shape == (200, 2)
    with pytest.warns(UserWarning, match="A: overlap does not hold: got propensity 0 of level"):
        warn_of_no_overlap(made(apart()))
    three = apart()
    three["t"] = np.digitize(three["x"], [-0.5, 0.5])
    with pytest.warns(UserWarning, match="A: overlap does not hold"):
        warn_of_no_overlap(made(three))


@pytest.mark.parametrize("method", ["regression", "covariate_matching"])
def test_what_reaches_beyond_the_rows_says_so(method):
    with pytest.warns(UserWarning, match="AverageEffect: overlap does not hold"):
        AverageEffect(None, "t", "y", ["x"], method).fit(apart())


@pytest.mark.parametrize("method", ["ipw", "aipw", "tmle", "matching", "dml"])
def test_what_cannot_do_without_refuses(method):
    with pytest.raises(NoOverlapError, match="AverageEffect: overlap must hold"):
        AverageEffect(None, "t", "y", ["x"], method).fit(apart())
