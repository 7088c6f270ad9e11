import pytest

from margin.core import Stop


@pytest.mark.parametrize(
    ("unit", "one", "many"),
    [
        ("iteration", "1 iteration", "2 iterations"),
        ("pass", "1 pass", "2 passes"),
        ("epoch", "1 epoch", "2 epochs"),
        ("Newton step", "1 Newton step", "2 Newton steps"),
    ],
)
def test_units_are_counted_in_words(unit, one, many):
    stop = Stop("gap", 0.1, 5, unit=unit)
    assert (stop.count(1), stop.count(2)) == (one, many)
    assert stop.interrupted(2) == f"interrupted after {many}"


def test_one_scheme_of_words_for_every_end():
    stop = Stop("gap", 0.1, 5)
    assert stop.cut_short(0.25) == (
        "stopped after max_iter=5 iterations with gap 0.25 above tol=0.1; "
        "raise max_iter, scale the features, or raise tol"
    )
    assert stop.stalled(3, 0.25, "why") == (
        "no progress at machine precision after 3 iterations (why): gap 0.25 above tol=0.1; "
        "scale the features or raise tol"
    )
    assert (
        stop.broken(3, float("nan"), 0.5) == "the objective became nan with gap 0.5 at iteration 3"
    )
    assert stop.broken(3, float("inf"), None) == "the objective became inf at iteration 3"
    assert stop.rose(4, 0.5) == (
        "the objective rose by 0.5 in iteration 4, which it never should; "
        "scale the features or raise tol"
    )


def test_what_was_not_measured_is_not_mentioned():
    stop = Stop("gap", 0.1, 5, advice=("lower C",))
    assert stop.cut_short(None) == "stopped after max_iter=5 iterations; raise max_iter or lower C"
    assert stop.stalled(1, None) == "no progress at machine precision after 1 iteration; lower C"


def test_rules_are_values():
    assert Stop("gap", 0.1, 5) == Stop("gap", 0.1, 5)
    with pytest.raises(AttributeError):
        Stop("gap", 0.1, 5).tol = 1.0
