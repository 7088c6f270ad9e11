import numpy as np
from numpy.testing import assert_allclose

from margin.causal.conditional._learners import LEARNERS
from margin.causal.conditional._mean_effect import MeanEffect, averages
from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._nuisance import Nuisance


def test_the_mean_of_a_plane():
    """Of lines for each level it is what regression adjustment says."""
    rng = np.random.default_rng(0)
    x, t = rng.standard_normal(200), rng.integers(0, 2, 200)
    frame = {"x": x, "t": t, "y": x + (1 + x) * t + rng.standard_normal(200)}
    weight = rng.integers(1, 4, 200)
    data = effect_data("E", frame, ("t",), "y", ("x",), modifiers=x[:, None], sample_weight=weight)
    scores = MeanEffect(LEARNERS["t"]).scores(data, Nuisance())
    m = Nuisance().outcomes(data)
    assert_allclose(scores.values, np.average(m[:, 1] - m[:, 0], weights=weight))
    assert scores.influence is None
    found = LEARNERS["t"].surfaces(data, Nuisance(), None)
    assert_allclose(averages(found, data.modifiers, data.weight), scores.values)
