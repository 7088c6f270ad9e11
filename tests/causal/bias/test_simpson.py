import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal import simpson_reversal
from margin.causal.bias._simpson import g_test
from margin.datasets import load_berkeley, load_kidney_stones


def test_berkeley_and_kidney_stones_are_flagged():
    """causal.01: reversals and G-tests of both golden tables"""
    data = load_berkeley(as_frame=True)
    frame = data.data.assign(admitted=data.target)
    report = simpson_reversal(frame, "sex", "admitted", "department", baseline="male")
    assert report.reversed
    assert not report.strict
    assert (report.within > 0).sum() == 4
    assert_allclose(report.adjusted, 0.4381626096 - 0.3947909894, atol=1e-9)
    for key, (G, p) in data.g_tests.items():
        assert_allclose(report.g_tests[key], (G, p), rtol=1e-3)
    stones = load_kidney_stones(as_frame=True)
    frame = stones.data.assign(recovered=stones.target)
    report = simpson_reversal(frame, "treatment", "recovered", "size", baseline="B")
    assert report.reversed
    assert report.strict
    for key, (G, p) in stones.g_tests.items():
        assert_allclose(report.g_tests[key], (G, p), rtol=1e-6)


def test_no_reversal_where_strata_are_alike():
    rng = np.random.default_rng(0)
    frame = {"t": np.tile([0, 1], 200), "z": rng.integers(0, 3, 400)}
    frame["y"] = frame["t"] + rng.normal(size=400)
    assert not simpson_reversal(frame, "t", "y", "z").reversed
    assert not simpson_reversal(frame, "t", "y", "z").g_tests


def test_what_is_refused():
    with pytest.raises(ValueError, match="column 't' must be of two levels"):
        simpson_reversal({"t": [1, 2, 3], "y": [1, 1, 1], "z": [1, 1, 1]}, "t", "y", "z")
    with pytest.raises(ValueError, match="stratum 2 must be with rows of both groups"):
        simpson_reversal({"t": [0, 1, 1], "y": [1, 1, 1], "z": [1, 1, 2]}, "t", "y", "z")
    assert g_test(np.array([[5.0, 5.0], [5.0, 5.0]])) == (0.0, 1.0)
