from benchmarks.load import Others


def test_share_is_what_others_used_of_all_processors():
    assert Others.share(total=3.0, own=1.0, wall=2.0, processors=2) == 0.5


def test_rounding_of_the_clocks_never_makes_a_negative_share():
    assert Others.share(total=1.0, own=1.01, wall=2.0, processors=2) == 0.0


def test_a_system_that_does_not_tell_gives_none(monkeypatch):
    monkeypatch.setattr("benchmarks.load._busy_seconds", lambda: None)
    assert Others().measure() is None
