import numpy as np
import pytest

from margin.datasets import _requirements as require


@pytest.mark.parametrize("value", [0, -3, 1.0, "2", True, None, np.nan])
def test_count_refuses(value):
    with pytest.raises(ValueError, match="f: n must be an integer of at least 1, got"):
        require.count("f", n=value)


def test_count_accepts_numpy_integers_and_other_minima():
    require.count("f", n=np.int64(1))
    require.count("f", minimum=0, n=0)
    with pytest.raises(ValueError, match="at least 3"):
        require.count("f", minimum=3, n=2)


@pytest.mark.parametrize("value", [-0.1, 1.1, np.nan, np.inf, "0.5", True, None])
def test_between_refuses(value):
    with pytest.raises(ValueError, match=r"f: p must be a number in \[0, 1\], got"):
        require.between("f", 0, 1, p=value)


def test_between_bounds_are_closed_unless_asked():
    require.between("f", 0, 1, p=0, q=1.0)
    for bound in ({"open_low": True, "p": 0}, {"open_high": True, "p": 1}):
        with pytest.raises(ValueError, match="must be a number in"):
            require.between("f", 0, 1, **bound)
    with pytest.raises(ValueError, match=r"\(0, inf\)"):
        require.positive("f", scale=0)


def test_one_of_lists_the_choices():
    require.one_of("f", ("a", "b"), kind="a")
    for value in ("c", 1, None, ["a"]):
        with pytest.raises(ValueError, match="f: kind must be one of 'a', 'b', got"):
            require.one_of("f", ("a", "b"), kind=value)


@pytest.mark.parametrize("value", [[0.5, 0.4], [-0.5, 1.5], [[1.0], [0.9]], [np.nan, 1.0], 1.0])
def test_distribution_refuses(value):
    with pytest.raises(ValueError, match="nonnegative and sum to 1"):
        require.distribution("f", table=value)


def test_distribution_accepts_rows():
    require.distribution("f", table=[[0.1, 0.9], [1.0, 0.0]])
