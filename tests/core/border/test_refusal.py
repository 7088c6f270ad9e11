"""Refusals that scikit-learn calls not implemented."""

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
