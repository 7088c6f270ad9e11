import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom
from sklearn.base import clone

from margin.causal import RegressionDiscontinuity
from margin.causal.designs._discontinuity import best_bandwidth


def world(n, rng, fuzzy=False):
    x = rng.uniform(-1, 1, n)
    t = (x >= 0) * 1.0
    if fuzzy:
        t = (rng.random(n) < 0.2 + 0.6 * t) * 1.0
    return {"x": x + 5, "t": t, "y": np.sin(2 * x) + 0.8 * t + rng.normal(0, 0.3, n)}


def test_uniform_kernel_is_two_regressions():
    frame = world(300, np.random.default_rng(0))
    model = RegressionDiscontinuity("x", "y", cutoff=5, bandwidth=0.4, kernel="uniform").fit(frame)
    ends = []
    for side in (frame["x"] >= 5, frame["x"] < 5):
        rows = side & (np.abs(frame["x"] - 5) <= 0.4)
        ends.append(np.polyfit(frame["x"][rows] - 5, frame["y"][rows], 1)[1])
    assert_allclose(model.effect_, ends[0] - ends[1])
    assert model.bandwidth_ == 0.4


@pytest.mark.parametrize("fuzzy", [False, True])
def test_coverage(fuzzy):
    rng, inside = np.random.default_rng(1), 0
    for _ in range(80):
        model = RegressionDiscontinuity(
            "x", "y", cutoff=5, treatment="t" if fuzzy else None, level=0.9
        ).fit(world(800, rng, fuzzy))
        inside += model.interval_[0] <= 0.8 <= model.interval_[1]
    assert inside >= binom.ppf(0.001, 80, 0.9)


def test_bandwidth_shrinks_with_curvature_and_rows():
    rng = np.random.default_rng(2)
    x = rng.uniform(-1, 1, 4000)
    noise = rng.normal(0, 0.3, 4000)
    flat, bent = (best_bandwidth(x, (x > 0) * c * x**2 + noise) for c in (0.5, 20.0))
    assert bent < flat
    assert best_bandwidth(x[:400], (x * x * 20 * (x > 0) + noise)[:400]) > bent


def test_sorting_at_the_cutoff_is_seen():
    rng = np.random.default_rng(3)
    frame = world(3000, rng)
    assert RegressionDiscontinuity("x", "y", cutoff=5).fit(frame).density_p_value_ > 0.001
    kept = (frame["x"] >= 5) | (frame["x"] < 4.9) | (rng.random(3000) < 0.2)
    sorted_out = {k: v[kept] for k, v in frame.items()}
    model = RegressionDiscontinuity("x", "y", cutoff=5, bandwidth=0.3).fit(sorted_out)
    assert model.density_p_value_ < 0.001
    assert "density p" in repr(model.summary())


def test_what_is_refused():
    frame = world(100, np.random.default_rng(0))
    for given, message in (
        ({"cutoff": 50.0}, "cutoff must be with ten rows on either side"),
        ({"cutoff": 5, "bandwidth": -1.0}, "bandwidth must be a number above 0"),
        ({"cutoff": 5, "bandwidth": 1e-6}, "wide enough for a fit"),
        ({"cutoff": 5, "kernel": "magic"}, "kernel must be one of"),
    ):
        with pytest.raises(ValueError, match=message):
            RegressionDiscontinuity("x", "y", **given).fit(frame)
    with pytest.raises(ValueError, match="treatment must be with a jump"):
        RegressionDiscontinuity("x", "y", cutoff=5, treatment="one").fit(
            {**frame, "one": np.ones(100)}
        )


def test_weights_are_copies_and_clusters_count_once():
    frame = world(400, np.random.default_rng(4))
    copies = np.random.default_rng(5).integers(0, 3, 400)
    rows = np.repeat(np.arange(400), copies)
    long = {k: v[rows] for k, v in frame.items()} | {"who": rows}
    model = RegressionDiscontinuity("x", "y", cutoff=5, bandwidth=1.0)
    wanted = clone(model).fit(long)
    found = clone(model).fit(frame, sample_weight=copies)
    assert_allclose(found.effect_, wanted.effect_)
    assert_allclose(found.corrected_effect_, wanted.corrected_effect_)
    # Rows that are left out for themselves differ a little from copies left out one by one.
    clustered = clone(model).fit(long, clusters="who")
    assert_allclose(found.std_error_, clustered.std_error_, rtol=0.05)
    assert clustered.std_error_ > 1.1 * wanted.std_error_


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"level": 2.0}, "RegressionDiscontinuity: level must be a number between 0 and 1"),
        ({"cutoff": "a"}, "cutoff must be a number"),
        ({"bandwidth": "a"}, "bandwidth must be a number above 0"),
        ({"outcome": "x"}, "running and outcome must be columns that differ"),
        ({"running": None}, "running and outcome must be"),
    ],
)
def test_choices_without_a_meaning(given, message):
    frame = world(100, np.random.default_rng(0))
    plain = {"running": "x", "outcome": "y", "cutoff": 5}
    with pytest.raises(ValueError, match=message):
        RegressionDiscontinuity(**{**plain, **given}).fit(frame)
