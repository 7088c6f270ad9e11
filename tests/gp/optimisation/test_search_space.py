"""Mixed search spaces."""

import numpy as np
import pytest

from margin.gp import SearchSpace

SPACE = SearchSpace(
    {"rate": (1e-4, 1.0, "log"), "x": (-1.0, 3.0), "depth": (1, 9), "kind": ["a", "b", None]}
)


def test_encoding_and_back():
    point = {"rate": 1e-2, "x": 0.0, "depth": 3, "kind": None}
    code = SPACE.encode(point)
    np.testing.assert_allclose(code, [0.5, 0.25, 0.25, 0.0, 0.0, 1.0])
    back = SPACE.decode([0.5, 0.25, 0.25, 0.99])
    assert back["rate"] == pytest.approx(1e-2)
    assert (back["x"], back["depth"], back["kind"]) == (0.0, 3, None)
    assert isinstance(back["depth"], int)


def test_samples_fill_every_interval():
    rng = np.random.default_rng(0)
    points = SPACE.sample(60, rng)
    for name, low in (("x", -1.0),):
        shares = np.sort([(p[name] - low) / 4.0 for p in points])
        assert (np.floor(shares * 60) == np.arange(60)).all()
    assert {p["kind"] for p in points} == {"a", "b", None}
    assert {p["depth"] for p in points} == set(range(1, 10))


def test_neighbours_stay_inside_and_near():
    rng = np.random.default_rng(0)
    start = {"rate": 1e-4, "x": 3.0, "depth": 1, "kind": "a"}
    for point in SPACE.nearby(start, 100, rng):
        code = SPACE.encode(point)
        assert code.min() >= 0.0
        assert code.max() <= 1.0
    assert np.median([abs(p["x"] - 3.0) for p in SPACE.nearby(start, 200, rng)]) < 0.4


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "at least one entry"),
        ({"x": []}, "x must be a list"),
        ({"x": (2.0, 1.0)}, "low <= high"),
        ({"x": (0.0, 1.0, "log")}, "above 0 for a logarithmic"),
        ({"x": (0.0, 1.0, "cubic")}, "x must be"),
        ({"x": ("a", "b")}, "x must be"),
        ({"x": (0.0, np.inf)}, "x must be"),
        ({"x": 3}, "x must be"),
    ],
)
def test_bad_spaces(given, message):
    with pytest.raises(ValueError, match=message):
        SearchSpace(given)


def test_bad_points():
    with pytest.raises(ValueError, match="of the names"):
        SPACE.encode({"x": 1.0})
    point = {"rate": 1e-2, "x": 0.0, "depth": 3, "kind": "c"}
    with pytest.raises(ValueError, match="kind must be one of"):
        SPACE.encode(point)
    with pytest.raises(ValueError, match="x must be in"):
        SPACE.encode({**point, "kind": "a", "x": 4.0})
