import matplotlib as mpl
import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal import SyntheticControl
from margin.causal.designs._synthetic import simplex_weights

mpl.use("Agg")


def panel(rng, effect=3.0, n_units=12, n_times=20, start=14):
    factors = np.cumsum(rng.standard_normal((2, n_times)), axis=1)
    loads = rng.dirichlet(np.ones(2), n_units)
    loads[0] = loads[1:4].mean(axis=0)
    Y = loads @ factors + 0.1 * rng.standard_normal((n_units, n_times))
    Y[0, start:] += effect
    return {"u": np.repeat(np.arange(n_units), n_times), "t": np.tile(np.arange(n_times), n_units),
            "y": Y.ravel()}  # fmt: skip


def test_effect_and_placebos():
    model = SyntheticControl("y", "u", "t", treated=0, start=14).fit(
        panel(np.random.default_rng(0))
    )
    assert_allclose(model.effect_, 3, atol=0.4)
    assert_allclose(model.p_value_, 1 / 12)
    assert min(model.weights_.values()) >= 0
    assert_allclose(sum(model.weights_.values()), 1)
    none = SyntheticControl("y", "u", "t", treated=0, start=14)
    assert none.fit(panel(np.random.default_rng(1), effect=0.0)).p_value_ > 1 / 12
    assert model.plot().get_ylabel()


def test_weights_are_the_best_of_the_simplex():
    """Against a fine grid of three weights."""
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((8, 3)), rng.standard_normal(8)
    w = simplex_weights(X, y)
    grid = np.linspace(0, 1, 101)
    best = min(
        np.sum((y - X @ [a, b, 1 - a - b]) ** 2) for a in grid for b in grid if a + b <= 1 + 1e-12
    )
    assert np.sum((y - X @ w) ** 2) <= best + 1e-9


def test_what_is_refused():
    frame = panel(np.random.default_rng(0))
    for given, message in (
        ({"treated": 99, "start": 14}, "treated must be one of the units"),
        ({"treated": 0, "start": 0}, "start must be a time with times before it"),
        ({"treated": 0}, "start must be"),
    ):
        with pytest.raises(ValueError, match=message):
            SyntheticControl("y", "u", "t", **given).fit(frame)
    with pytest.raises(ValueError, match="one row for every unit and time"):
        SyntheticControl("y", "u", "t", treated=0, start=14).fit(
            {k: v[1:] for k, v in frame.items()}
        )
