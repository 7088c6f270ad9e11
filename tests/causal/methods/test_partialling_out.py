import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.ensemble import RandomForestRegressor

from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._partialling_out import PartiallingOut
from margin.causal.methods._regression import Regression


def world(n, rng, bend=0.0):
    x = rng.standard_normal(n)
    a, b = x + bend * np.sin(3 * x) + rng.standard_normal((2, n))
    y = 1.5 * a - 0.5 * b + 2 * x + 3 * bend * np.sin(3 * x) + rng.standard_normal(n)
    return {"x": x, "a": a, "b": b, "y": y}


def test_without_folds_it_is_least_squares():
    data = effect_data("A", world(300, np.random.default_rng(0)), ("a", "b"), "y", ("x",))
    found = PartiallingOut().scores(data, Nuisance(n_folds=1))
    assert_allclose(found.values, Regression().scores(data, Nuisance()).values)
    assert_allclose(found.values, [1.5, -0.5], atol=0.3)


def test_flexible_learners_remove_what_lines_leave():
    data = effect_data(
        "A", world(3000, np.random.default_rng(1), bend=2.0), ("a", "b"), "y", ("x",)
    )
    forest = RandomForestRegressor(30, min_samples_leaf=10, random_state=0)
    lines = PartiallingOut().scores(data, Nuisance()).values
    trees = (
        PartiallingOut()
        .scores(data, Nuisance(outcome_model=forest, treatment_model=forest, n_folds=2))
        .values
    )
    assert np.abs(trees - [1.5, -0.5]).max() < 0.12 < np.abs(lines - [1.5, -0.5]).max()


def test_only_the_average_of_all():
    frame = {"t": [0, 1, 0, 1], "y": [0.0, 1, 2, 3]}
    data = effect_data("A", frame, ("t",), "y", (), target="att")
    with pytest.raises(ValueError, match="target must be 'ate' for method 'dml'"):
        PartiallingOut().scores(data, Nuisance(n_folds=1))
