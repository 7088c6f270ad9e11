import os

from benchmarks import load
from benchmarks.load import Others


def test_share_is_what_others_used_of_all_processors():
    assert Others.share(total=3.0, own=1.0, wall=2.0, processors=2) == 0.5


def test_rounding_of_the_clocks_never_makes_a_negative_share():
    assert Others.share(total=1.0, own=1.01, wall=2.0, processors=2) == 0.0


def test_a_system_that_does_not_tell_gives_none(monkeypatch):
    monkeypatch.setattr("benchmarks.load._busy_seconds", lambda _: None)
    assert Others().measure() is None


def test_only_our_own_processors_count(tmp_path, monkeypatch):
    """Ten ticks of work on each of four processors, a hundred on the one that is not ours."""
    lines = ["cpu 130 0 0 9 9 0 0 0 0 0", "cpu0 4 1 2 70 80 2 1 0 0 0"]
    lines += [
        "cpu1 100 0 0 0 0 0 0 0 0 0",
        "cpu2 10 0 0 0 0 0 0 0 0 0",
        "cpu10 10 0 0 0 0 0 0 0 0 0",
    ]
    stat = tmp_path / "stat"
    stat.write_text("\n".join([*lines, "intr 5"]) + "\n")
    monkeypatch.setattr(load, "STAT", stat)
    tick = 1.0 / os.sysconf("SC_CLK_TCK")
    assert load._busy_seconds({0, 2, 10}) == 30 * tick
    assert load._busy_seconds({0, 1}) == 110 * tick
    assert load._busy_seconds({0, 3}) is None
