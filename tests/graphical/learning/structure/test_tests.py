import numpy as np
import pandas as pd
import pytest

from margin.graphical import PC
from margin.graphical.learning.structure._tests import independence_test
from margin.search import ChiSquaredTest, FisherZ, GTest, KernelTest, MixedTest

FLOATS = np.random.default_rng(0).standard_normal((20, 2))
MIXED = pd.DataFrame({"x": FLOATS[:, 0], "k": ["a", "b"] * 10})


@pytest.mark.parametrize(
    ("name", "frame", "expected"),
    [
        ("auto", FLOATS, FisherZ),
        ("auto", FLOATS > 0, GTest),
        ("auto", pd.DataFrame(FLOATS), FisherZ),
        ("auto", MIXED, MixedTest),
        ("chi-squared", FLOATS > 0, ChiSquaredTest),
        ("hsic", FLOATS, KernelTest),
        ("coco", FLOATS, KernelTest),
    ],
)
def test_choice(name, frame, expected):
    assert isinstance(independence_test("PC", name, frame), expected)


def test_parameters_reach_the_test():
    test = independence_test("PC", "g", FLOATS > 0, aggregate="max", min_count=3.0)
    assert (test.aggregate, test.min_count) == ("max", 3.0)


def test_refusals():
    with pytest.raises(ValueError, match="PC: test must be an IndependenceTest or one of"):
        independence_test("PC", "z", FLOATS)
    with pytest.raises(ValueError, match="PC: sample_weight must be None for test='mixed'"):
        independence_test("PC", "auto", MIXED, np.ones(20))
    with pytest.raises(ValueError, match="PC: X must be numbers"):
        independence_test("PC", "fisher-z", MIXED)


def test_column_names_that_occur_twice_are_refused_by_name():
    frame = pd.DataFrame([[0, 1], [1, 0]], columns=["a", "a"])
    with pytest.raises(ValueError, match="PC: X must be a frame with different column names"):
        PC().fit(frame)
