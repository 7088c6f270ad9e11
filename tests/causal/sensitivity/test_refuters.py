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
