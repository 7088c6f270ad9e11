"""Numbers given as such or as a share."""

from types import SimpleNamespace

import pytest

from margin.ensemble.forests._shares import share_of


def asked(value, of=10, **options):
    return share_of(SimpleNamespace(some=value), "some", of, **options)


def test_numbers_and_shares():
    assert asked(None) is None
    assert (asked(1), asked(10), asked(0.25), asked(1.0)) == (1, 10, 2, 10)
    assert asked(1e-9) == 1
    assert (asked(25, beyond=True), asked(2.5, beyond=True)) == (25, 25)


@pytest.mark.parametrize("value", [0, -1, 11, 1.5, 0.0, True, "all", float("nan")])
def test_what_is_neither(value):
    with pytest.raises(ValueError, match="some must be None, an integer of at least 1 or a share"):
        asked(value)


@pytest.mark.parametrize("value", [0, float("inf"), False])
def test_there_may_be_more_but_not_any(value):
    with pytest.raises(ValueError, match="some must be"):
        asked(value, beyond=True)
