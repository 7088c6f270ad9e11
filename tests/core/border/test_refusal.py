"""Refusals that scikit-learn calls not implemented."""

import numpy as np
import pytest

from margin.core import UnservedError, check


@pytest.mark.parametrize("kind", [ValueError, NotImplementedError, UnservedError])
def test_a_refusal_is_caught_by_either_name(kind: type[Exception]) -> None:
    with pytest.raises(kind, match=r"^Model: norm must be 2, got 3$"):
        raise check.unserved("Model", "norm", "2", 3)


class Lasso:
    """A class with a name."""


def test_fail_names_an_instance_or_takes_the_name() -> None:
    assert str(check.fail(Lasso(), "k", "odd", 2)) == "Lasso: k must be odd, got 2"
    assert str(check.fail("Lasso", "k", "odd", "2")) == "Lasso: k must be odd, got '2'"


def test_long_values_are_shown_by_shape_or_beginning() -> None:
    message = str(check.fail("Lasso", "w", "a vector", np.arange(200.0).reshape(20, 10)))
    assert message == "Lasso: w must be a vector, got ndarray of shape (20, 10)"
    message = str(check.fail("Lasso", "names", "different", ["a"] * 1000))
    assert message.endswith("got " + repr(["a"] * 1000)[:200] + "…")
