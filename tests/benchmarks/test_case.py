import dataclasses

import pytest
from synthetic_cases import CASES, TARGET

from benchmarks.case import Contestant

CASE = CASES[0]


def test_an_importable_contestant_has_no_reason_to_stay_away():
    assert Contestant("a", len, requires=("math", "math:sqrt")).missing() == ""


def test_a_missing_package_and_a_missing_attribute_are_named():
    assert "no_such_package" in CASE.contestant("absent").missing()
    assert CASE.contestant("too old").missing() == "math has no no_such_function"


def test_blocks_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        CASE.name = "other"


def test_sizes_and_contestants_are_found_by_name():
    assert CASE.size("1 000").elements == 1000
    assert CASE.contestant("hog").note == "wasteful"


@pytest.mark.parametrize(
    ("value", "enough"), [(1e-3, True), (1.1e-3, False), (None, False), (float("nan"), False)]
)
def test_a_certificate_is_judged_by_its_limit(value, enough):
    assert TARGET.certified(value) is enough


def test_without_a_certificate_every_answer_is_certified():
    assert dataclasses.replace(TARGET, certificate=None).certified(None)
