import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom

from margin.causal import DifferenceInDifferences


def panel(n, rng, starts=(2, 3), n_times=5, trend=0.0):
    """Units with levels of their own, a common trend, effects of 1 + time since treatment."""
    start = rng.choice([*starts, n_times], n)
    level, common = 2 * rng.standard_normal(n) + start, np.arange(n_times) ** 1.5
    Y = level[:, None] + common + rng.standard_normal((n, n_times))
    Y += trend * np.arange(n_times) * (start < n_times)[:, None]
    since = np.arange(n_times) - start[:, None]
    Y += np.where(since >= 0, 1.0 + since, 0.0)
    frame = {
        "who": np.repeat(np.arange(n), n_times), "when": np.tile(np.arange(n_times), n),
        "on": (since >= 0).astype(int).ravel(), "y": Y.ravel(),
    }  # fmt: skip
    size = [(start == s).sum() for s in starts]
    gains = [np.sum(1.0 + np.arange(n_times - s)) for s in starts]
    times = [n_times - s for s in starts]
    return frame, np.dot(size, gains) / np.dot(size, times)


def made(**more):
    return DifferenceInDifferences("y", "who", "when", "on", **more)


def test_two_periods_are_the_classical_difference():
    rng = np.random.default_rng(0)
    on, y = rng.integers(0, 2, 30), rng.standard_normal((30, 2))
    frame = {"who": np.repeat(range(30), 2), "when": [0, 1] * 30, "y": y.ravel(),
             "on": np.column_stack([np.zeros(30, int), on]).ravel()}  # fmt: skip
    model = made().fit(frame)
    change = y[:, 1] - y[:, 0]
    assert_allclose(model.effect_, change[on == 1].mean() - change[on == 0].mean())
    error = np.sqrt(sum(change[on == a].var() / (on == a).sum() for a in (0, 1)))
    assert_allclose(model.std_error_, error)


@pytest.mark.parametrize("control", ["never", "not_yet"])
def test_coverage_with_staggered_times(control):
    rng, inside = np.random.default_rng(1), 0
    for _ in range(80):
        frame, truth = panel(90, rng)
        low, high = made(control=control, level=0.9).fit(frame).interval_
        inside += low <= truth <= high
    assert inside >= binom.ppf(0.001, 80, 0.9)


def test_event_study_shows_trends_that_are_not_parallel():
    rng = np.random.default_rng(2)
    frame, _ = panel(3000, rng)
    fine = made().fit(frame).event_study_
    names = list(fine.names)
    before = [i for i, name in enumerate(names) if int(name) < 0]
    assert fine.p_values[before].min() > 0.001
    after = [fine.effect[names.index(f"+{s}")] for s in (0, 1, 2)]
    assert_allclose(after, [1, 2, 3], atol=0.2)
    crooked, _ = panel(3000, rng, trend=0.5)
    assert made().fit(crooked).event_study_.p_values[before].min() < 1e-4
    assert "difference in differences" in repr(
        made(n_bootstrap=50, random_state=0).fit(frame).summary()
    )


def test_what_is_refused():
    frame, _ = panel(20, np.random.default_rng(0))
    for change, message in (
        ({"on": np.zeros(100)}, "begun by some unit after the first time"),
        ({"on": 1 - frame["on"]}, "0, and 1 from some time on"),
        ({"when": np.zeros(100)}, "one row for every unit and time"),
    ):
        with pytest.raises(ValueError, match=message):
            made().fit({**frame, **change})
    with pytest.raises(ValueError, match="control must be one of"):
        made(control="magic").fit(frame)
