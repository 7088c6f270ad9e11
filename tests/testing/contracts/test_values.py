from dataclasses import dataclass, field

import numpy as np
import pytest

from margin.testing.contracts._values import assert_is_value, assert_unchanged, rounding


@dataclass(frozen=True)
class Good:
    alpha: float = 1.0


@dataclass
class Mutable:
    alpha: float = 1.0


@dataclass(frozen=True)
class Unhashable:
    parts: list = field(default_factory=list)


@dataclass(frozen=True, repr=False)
class Nameless:
    def __repr__(self):
        return "?"


class Plain:
    pass


def test_a_frozen_dataclass_is_a_value():
    assert_is_value(Good(2.0))


@pytest.mark.parametrize("bad", [Mutable(), Nameless(), Plain()])
def test_others_are_not(bad):
    with pytest.raises(AssertionError, match=type(bad).__name__):
        assert_is_value(bad)


def test_a_value_must_hash():
    with pytest.raises(TypeError, match="unhashable"):
        assert_is_value(Unhashable())


def test_changed_input_is_found():
    X = np.zeros(3)
    assert_unchanged([X], [X.copy()], "loss")
    with pytest.raises(AssertionError, match="loss changed its input"):
        assert_unchanged([X + 1], [X], "loss")


def test_rounding_grows_with_the_numbers():
    assert rounding() == rounding(0.0) == 1e-10
    assert rounding([1e6], -1e3) == pytest.approx(1e-4, rel=1e-3)
