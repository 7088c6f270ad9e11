"""No clock here but our own: each fit moves it by a known amount."""

import warnings

from benchmarks import timing


class Clock:
    def __init__(self):
        self.now = 0.0
        self.order = []

    def __call__(self):
        return self.now

    def fit(self, name, seconds):
        def run():
            self.order.append(name)
            self.now += seconds

        return run


def interleave(monkeypatch, durations, rounds, **options):
    monkeypatch.setattr(timing, "PAUSE", 0.0)
    monkeypatch.setattr(timing.gc, "collect", lambda: 0)
    clock = Clock()
    fits = {name: clock.fit(name, seconds) for name, seconds in durations.items()}
    return timing.interleave(fits, rounds, clock=clock, **options), clock.order


def test_contestants_take_turns(monkeypatch):
    seconds, order = interleave(monkeypatch, {"a": 2.0, "b": 3.0}, rounds=3)
    assert order == ["a", "b"] * 3
    assert seconds == {"a": [2.0] * 3, "b": [3.0] * 3}


def test_short_fits_get_extra_rounds_up_to_the_limit(monkeypatch):
    seconds, _ = interleave(monkeypatch, {"a": 1e-3}, rounds=2)
    assert len(seconds["a"]) == 2 * timing.EXTRA_ROUNDS
    seconds, _ = interleave(monkeypatch, {"a": 1e-3}, rounds=2, max_rounds=3)
    assert len(seconds["a"]) == 3


def test_a_slow_contestant_is_dropped_while_the_others_go_on(monkeypatch):
    slow = timing.PATIENCE + 1.0
    seconds, _ = interleave(monkeypatch, {"slow": slow, "quick": 1.0}, rounds=4)
    assert seconds == {"slow": [slow], "quick": [1.0] * 4}
    seconds, _ = interleave(monkeypatch, {"slow": slow}, rounds=2, patience=float("inf"))
    assert seconds == {"slow": [slow] * 2}


def test_summary_keeps_best_median_and_all():
    assert timing.summary([3.0, 1.0, 2.0]) == {
        "best": 1.0,
        "median": 2.0,
        "seconds": [3.0, 1.0, 2.0],
    }


def test_the_first_warning_is_kept_on_one_line():
    def fit():
        warnings.warn("did not\n converge", stacklevel=1)
        return 7

    assert timing.quietly(fit) == (7, "did not converge")
    assert timing.quietly(lambda: 8) == (8, "")
