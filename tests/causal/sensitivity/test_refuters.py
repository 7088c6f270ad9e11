import numpy as np
import pytest
from worlds import COVARIATES, study

from margin.causal import AverageEffect


@pytest.mark.parametrize("method", ["aipw", "regression", "dml", "matching"])
def test_a_sound_estimate_survives(method):
    frame = study(800, np.random.default_rng(0))
    model = AverageEffect(None, "t", "y", COVARIATES, method, random_state=0).fit(frame)
    found = {r.kind: r for r in model.refute(n_repeats=10)}
    assert set(found) == {"placebo", "random_cause", "subset", "hidden_cause"}
    assert abs(found["placebo"].refuted_effect) < 0.2
    assert all(found[kind].passed for kind in ("placebo", "random_cause", "subset"))
    assert abs(found["random_cause"].refuted_effect - model.effect_) < 0.2
    # half of the rows against all: a deviation like the error of the estimate
    assert 0.4 < found["subset"].std_error / model.std_error_ < 2


def test_a_hidden_cause_of_growing_strength_moves_the_estimate():
    frame = study(3000, np.random.default_rng(1), effect=0.0)
    model = AverageEffect(None, "t", "y", COVARIATES, "regression", random_state=0).fit(frame)
    moved = [
        model.refute("hidden_cause", n_repeats=5, strength=s)[0].refuted_effect
        for s in (0.0, 0.2, 0.6)
    ]
    assert moved[0] == pytest.approx(model.effect_, abs=1e-9)
    assert moved[0] < moved[1] < moved[2]


def test_unknown_attempts():
    model = AverageEffect(None, "t", "y", COVARIATES).fit(study(100, np.random.default_rng(0)))
    with pytest.raises(ValueError, match="kinds must be among"):
        model.refute("magic")


def test_strata_that_noise_would_empty_stay_whole():
    """Shuffles stay within strata and noise cuts only where every level stays."""
    rng = np.random.default_rng(0)
    z = rng.integers(0, 4, 120)
    t = (rng.random(120) < 0.15 + 0.2 * z).astype(int)
    frame = {"z": z, "t": t, "y": z + 1.0 * t + rng.standard_normal(120)}
    model = AverageEffect(None, "t", "y", ["z"], "stratification", random_state=0).fit(frame)
    found = {r.kind: r for r in model.refute(n_repeats=40)}
    assert abs(found["placebo"].refuted_effect) < 0.15
    assert 0.5 < found["placebo"].std_error / model.std_error_ < 1.6
    assert found["random_cause"].refuted_effect == pytest.approx(model.effect_, abs=0.15)
    assert np.isfinite(found["hidden_cause"].refuted_effect)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n_repeats": 0}, "refute: n_repeats must be an integer of at least 1, got 0"),
        ({"n_repeats": 1.5}, "refute: n_repeats must be an integer"),
        ({"strength": -1}, "refute: strength must be a number from 0 to below 1, got -1"),
        ({"strength": "a"}, "refute: strength must be a number from 0"),
    ],
)
def test_numbers_without_a_meaning(given, message):
    model = AverageEffect(None, "t", "y", COVARIATES).fit(study(100, np.random.default_rng(0)))
    with pytest.raises(ValueError, match=message):
        model.refute(**given)
