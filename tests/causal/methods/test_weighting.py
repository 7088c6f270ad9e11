import numpy as np
from numpy.testing import assert_allclose
from sklearn.dummy import DummyClassifier
from worlds import COVARIATES, study

from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._weighting import InverseWeighting, inverse


def test_formulas_at_a_known_propensity():
    """causal.21: plain and normalised, by hand"""
    frame = {"t": [0, 0, 0, 1], "y": [1.0, 2, 3, 8], "x": [0.0, 1, 2, 3]}
    data = effect_data("A", frame, ("t",), "y", ("x",))
    coin = Nuisance(DummyClassifier(strategy="uniform", random_state=0))
    plain = InverseWeighting("plain").scores(data, coin)
    assert_allclose(list(plain.means.values()), [2 * 6 / 4, 2 * 8 / 4])
    for kind in ("normalised", "stabilised"):
        found = InverseWeighting(kind).scores(data, coin)
        assert_allclose(list(found.means.values()), [2, 8])


def test_weights_balance_the_covariates():
    data = effect_data("A", study(5000, np.random.default_rng(0)), ("t",), "y", tuple(COVARIATES))
    found = InverseWeighting().scores(data, Nuisance())
    for level in (0, 1):
        w = found.balancing * (data.arms == level)
        assert_allclose(w @ data.X / w.sum(), 0, atol=0.06)
    assert_allclose(found.values, 2, atol=0.15)


def test_the_treated_keep_their_weight():
    data = effect_data("A", study(50, np.random.default_rng(0)), ("t",), "y", (), target="att")
    e = np.full((50, 2), [0.25, 0.75])
    assert_allclose(inverse(data, e), np.full((50, 2), [3.0, 1.0]))
