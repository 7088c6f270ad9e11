import matplotlib as mpl
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom
from sklearn.exceptions import NotFittedError

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


def test_interval_by_placebos():
    """With nine others the level .9 refutes one effect in ten; none fits fewer others."""
    rng, inside, times = np.random.default_rng(3), 0, 150
    model = SyntheticControl("y", "u", "t", treated=0, start=14, level=0.9)
    for _ in range(times):
        model.fit(noise(rng, 10))
        inside += model.interval_[0] <= 3 <= model.interval_[1]
    low, high = binom.ppf([0.0005, 0.9995], times, 0.9)
    assert low <= inside <= high
    assert_allclose(model.interval_.mean(), model.effect_)
    assert np.isinf(model.set_params(level=0.95).fit(noise(rng, 10)).interval_).all()


def noise(rng, n_units):
    """Exchangeable units, one of which has an effect of 3."""
    Y = rng.standard_normal((n_units, 20)) + np.cumsum(rng.standard_normal(20))
    Y[0, 14:] += 3
    return {"u": np.repeat(np.arange(n_units), 20), "t": np.tile(np.arange(20), n_units),
            "y": Y.ravel()}  # fmt: skip


def test_interval_by_hand():
    """The second largest of the mean gaps of the others, each in the error of its own fit."""
    frame = noise(np.random.default_rng(4), 12)
    model = SyntheticControl("y", "u", "t", treated=0, start=14, level=0.8).fit(frame)
    gaps = model.placebo_gaps_
    sizes = np.abs(gaps[:, 14:].mean(axis=1)) / np.sqrt((gaps[:, :14] ** 2).mean(axis=1))
    reach = np.sort(sizes)[-2] * model.fit_error_
    assert_allclose(model.interval_, [model.effect_ - reach, model.effect_ + reach])


def test_times_without_an_order():
    frame = panel(np.random.default_rng(0))
    with pytest.raises(ValueError, match="SyntheticControl: start must be a time with times"):
        SyntheticControl("y", "u", "t", treated=0, start="a").fit(frame)
    with pytest.raises(ValueError, match="SyntheticControl: level must be a number between"):
        SyntheticControl("y", "u", "t", treated=0, start=14, level=1).fit(frame)


def test_a_summary_by_placebos():
    rng = np.random.default_rng(3)
    unit, time = np.repeat(np.arange(25), 8), np.tile(np.arange(8), 25)
    y = unit % 5 + time + 4.0 * ((unit == 7) & (time >= 6)) + 0.1 * rng.standard_normal(200)
    frame = {"u": unit, "t": time, "y": y}
    model = SyntheticControl("y", "u", "t", treated=7, start=6)
    with pytest.raises(NotFittedError):
        model.summary()
    told = model.fit(frame).summary()
    assert told.p_values.tolist() == [model.p_value_]
    assert told.to_frame().loc["effect on 7", "p_value"] == model.p_value_
    assert repr(told).startswith("synthetic control, 8 times")
    assert "by 24 placebos" in repr(told)
