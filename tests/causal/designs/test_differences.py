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


def test_weights_are_copies_of_units():
    """Whole numbers stand for units that are there several times, errors up to their grouping."""
    rng = np.random.default_rng(6)
    frame, _ = panel(60, rng)
    copies = rng.integers(0, 4, 60)
    parts = [
        {
            k: v[frame["who"] == u] if k != "who" else np.full(5, 100 * u + c)
            for k, v in frame.items()
        }
        for u in range(60)
        for c in range(copies[u])
    ]
    long = {k: np.concatenate([p[k] for p in parts]) for k in frame} | {
        "origin": np.concatenate([p["who"] // 100 for p in parts])
    }
    found = made().fit(frame, sample_weight=copies[frame["who"]])
    wanted = made().fit(long, clusters="origin")
    assert_allclose(found.effect_, wanted.effect_)
    n_units = (copies > 0).sum()
    assert_allclose(found.std_error_, wanted.std_error_ / np.sqrt(n_units / (n_units - 1)))
    assert_allclose(found.event_study_.effect, wanted.event_study_.effect)
    assert found.group_time_ == pytest.approx(wanted.group_time_)


def test_clusters_cover_where_units_alone_do_not():
    """Treatment and shocks common to the units of a state."""
    rng, inside = np.random.default_rng(7), {True: 0, False: 0}
    state = np.repeat(np.arange(40), 5)
    for _ in range(120):
        on = (rng.permutation(40) < 20)[state]
        shock = rng.standard_normal(40)[state]
        y = rng.standard_normal((200, 2)) * 0.5
        y[:, 1] += 2.0 * on + shock
        frame = {
            "who": np.repeat(range(200), 2),
            "when": np.tile([0, 1], 200),
            "on": np.column_stack([0 * on, on]).ravel(),
            "state": np.repeat(state, 2),
            "y": y.ravel(),
        }
        for by in inside:
            low, high = made(level=0.9).fit(frame, clusters="state" if by else None).interval_
            inside[by] += low <= 2 <= high
    assert binom.ppf(0.0005, 120, 0.9) <= inside[True] <= binom.ppf(0.9995, 120, 0.9)
    assert inside[False] < binom.ppf(0.0005, 120, 0.9)


def test_what_units_do_not_have_in_common():
    frame, _ = panel(20, np.random.default_rng(0))
    for more in ({"sample_weight": np.arange(1, 101)}, {"clusters": np.arange(100)}):
        with pytest.raises(ValueError, match=f"{next(iter(more))} must be the same in all rows"):
            made().fit(frame, **more)
    for given, message in (
        ({"level": 2.0}, "level must be a number between 0 and 1"),
        ({"n_bootstrap": -1}, "n_bootstrap must be 0"),
        ({"control": "always"}, "control must be one of"),
    ):
        with pytest.raises(ValueError, match=message):
            made(**given).fit(frame)
    with pytest.raises(ValueError, match="must be four columns"):
        DifferenceInDifferences("y", "who", "when").fit(frame)
