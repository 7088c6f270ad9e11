import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal.conditional._learners import LEARNERS, CausalForest, Learner, residuals
from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._nuisance import Nuisance


def world(n, rng):
    x, z = rng.standard_normal((2, n))
    t = (rng.random(n) < 1 / (1 + np.exp(-x))).astype(int)
    return {"x": x, "z": z, "t": t, "y": x + z + (1 + x) * t + rng.standard_normal(n)}


def test_all_learners_find_a_plane():
    frame = world(4000, np.random.default_rng(0))
    data = effect_data("E", frame, ("t",), "y", ("x", "z"))
    M, grid = frame["x"][:, None], np.array([[-1.0], [0.0], [1.0]])
    for name, learner in LEARNERS.items():
        assert isinstance(learner, Learner)
        if name == "forest":
            continue
        found = learner.surface(data, M, Nuisance(), None)
        assert_allclose(found.values(grid), [0, 1, 2], atol=0.25)


def test_a_forest_is_right_on_average_and_knows_its_error():
    """Leaves average a twentieth of the rows or so: one estimate deviates by about 0.19."""
    grid, truth, values, errors = np.array([[-1.0], [0.0], [1.0]]), np.array([0.0, 1, 2]), [], []
    for seed in range(8):
        frame = world(4000, np.random.default_rng(seed))
        data = effect_data("E", frame, ("t",), "y", ("x", "z"))
        surface = LEARNERS["forest"].surface(data, frame["x"][:, None], Nuisance(), None)
        values.append(surface.values(grid))
        errors.append(surface.errors(grid))
    assert_allclose(np.mean(values, axis=0), truth, atol=3.5 * 0.19 / np.sqrt(8))
    scores = (np.array(values) - truth) / np.array(errors)
    assert 0.6 < np.sqrt((scores**2).mean()) < 1.4


def test_lines_in_s_and_t_learners_are_the_same():
    data = effect_data("E", world(300, np.random.default_rng(1)), ("t",), "y", ("x", "z"))
    s, t = (LEARNERS[k].surface(data, data.X, Nuisance(), None) for k in "st")
    assert_allclose(s.coef, t.coef, atol=1e-8)


def test_residuals_and_refusals():
    frame = world(200, np.random.default_rng(2))
    data = effect_data("E", frame, ("t",), "y", ("x",))
    y, t = residuals(data, Nuisance())
    assert abs(np.corrcoef(t, frame["x"])[0, 1]) < 0.1
    assert len(y) == 200
    three = effect_data("E", {**frame, "t": np.arange(200) % 3}, ("t",), "y", ("x",))
    for name in ("t", "x", "dr", "s", "r"):
        with pytest.raises(ValueError, match="treatment must be of two levels"):
            LEARNERS[name].surface(three, frame["x"][:, None], Nuisance(), None)
    assert CausalForest(n_trees=4).title == "causal forest"
