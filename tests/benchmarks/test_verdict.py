import pytest

from benchmarks import verdict


def entry(name, best=1.0, extra=10.0, objective=1.0, **changes):
    known = {
        "name": name,
        "ours": name == "margin",
        "binding": True,
        "status": "ok",
        "objective": objective,
        "extra_mib": extra,
        "best": best,
    }
    return known | changes


def size(*contestants, elements=100, required=True):
    return {"elements": elements, "required": required, "contestants": list(contestants)}


def asked(ratio=None, memory=None, seconds=None):
    return {"required_ratio": ratio, "required_memory": memory, "required_seconds": seconds}


def test_ratios_are_taken_against_the_fastest_peer():
    found = verdict.compare(
        size(entry("margin", 2.0, 5.0, 1.5), entry("slow", 9.0), entry("quick", 3.0, 20.0, 1.0))
    )
    assert found.peer["name"] == "quick"
    assert found.speed == 1.5
    assert found.memory == 0.25
    assert found.difference == 0.5


def test_a_peer_that_misses_the_target_is_no_rival():
    found = verdict.compare(
        size(entry("margin"), entry("sloppy", 0.1, status="missed"), entry("honest", 2.0))
    )
    assert found.peer["name"] == "honest"


def test_only_binding_peers_count_for_what_is_asked():
    both = size(entry("margin"), entry("extra", 0.5, binding=False), entry("named", 2.0))
    assert verdict.compare(both).peer["name"] == "extra"
    assert verdict.compare(both, binding=True).peer["name"] == "named"
    (judged,) = verdict.requirements(asked(ratio=1.0), both)
    assert judged.met
    assert "named" in judged.asked


@pytest.mark.parametrize(
    ("ours", "peer", "ratio"),
    [(10.5, 10.0, 1.0), (0.2, 0.0, 1.0), (30.0, 10.0, 3.0), (5.0, 0.0, 5.0), (None, 1.0, None)],
)
def test_memory_within_the_slack_is_equal_and_nothing_is_divided_by_zero(ours, peer, ratio):
    found = verdict.compare(size(entry("margin", extra=ours), entry("peer", extra=peer)))
    assert found.memory == ratio


def test_nothing_is_said_without_us_or_without_a_peer():
    absent = {"name": "margin", "ours": True, "binding": True, "status": "skipped"}
    assert verdict.compare(size(absent, entry("peer"))).speed is None
    assert verdict.compare(size(entry("margin"))).speed is None


def test_each_requirement_is_judged_by_its_own_measure():
    slow = size(entry("margin", 2.0, 50.0), entry("peer", 1.0, 10.0))
    judged = verdict.requirements(asked(1.0, 1.0, 60.0), slow)
    assert [one.met for one in judged] == [False, False, True]
    assert [one.attained for one in judged] == ["0.50 ×", "5.00 ×", "2.0 s"]


def test_a_size_asks_its_own_ratio_in_place_of_the_case():
    level = size(entry("margin", 1.0), entry("peer", 1.1)) | {"required_ratio": 1.0}
    assert verdict.requirements(asked(ratio=1.2), level)[0].met
    level["required_ratio"] = None
    assert not verdict.requirements(asked(ratio=1.2), level)[0].met


def test_a_peer_with_a_ratio_of_its_own_is_judged_apart_from_the_best_of_the_others():
    several = size(
        entry("margin", 1.0),
        entry("slow", 3.0, required_ratio=4.0),
        entry("quick", 1.5),
        entry("middle", 2.0, required_ratio=None),
    )
    judged = verdict.requirements(asked(ratio=1.2), several)
    assert [(one.asked, one.attained, one.met) for one in judged] == [
        ("at least 1.2 × as fast as quick", "1.50 ×", True),
        ("at least 4 × as fast as slow", "3.00 ×", False),
    ]


def test_ratios_of_peers_hold_without_one_of_the_case():
    (judged,) = verdict.requirements(
        asked(), size(entry("margin"), entry("peer", 2.0, required_ratio=1.5))
    )
    assert judged.met


def test_a_peer_asked_for_by_name_that_misses_or_is_absent_is_said():
    absent = entry("absent", required_ratio=2.0, status="skipped")
    del absent["best"]
    sloppy = entry("sloppy", 5.0, required_ratio=3.0, status="missed")
    judged = verdict.requirements(asked(), size(entry("margin"), sloppy, absent))
    assert [one.attained for one in judged] == ["5.00 × (it misses the target)", "not measured"]
    assert [one.met for one in judged] == [True, False]


def test_a_peer_that_is_not_binding_asks_nothing():
    other = entry("other", required_ratio=3.0, binding=False)
    assert verdict.requirements(asked(), size(entry("margin"), other)) == []


def test_speed_without_the_target_does_not_count():
    cheat = size(entry("margin", 0.1, status="missed"), entry("peer"))
    assert not verdict.requirements(asked(ratio=1.0), cheat)[0].met


def test_nothing_is_asked_at_other_sizes():
    assert verdict.requirements(asked(1.0), size(entry("margin"), required=False)) == []


def test_growth_is_the_exponent_of_a_power_law():
    small = size(entry("margin", 1.0), entry("peer", 1.0), elements=100)
    large = size(entry("margin", 10.0), entry("peer", 100.0), entry("new"), elements=1000)
    exponents = verdict.growth(small, large)
    assert exponents == pytest.approx({"margin": 1.0, "peer": 2.0})
    assert verdict.growth(small, small) == {}
