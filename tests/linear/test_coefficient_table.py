import numpy as np
import pytest
from scipy.stats import norm

from margin.linear._coefficient_table import (
    check_level,
    coefficient_frame,
    coefficient_lines,
    normal_columns,
)

COEF, ERROR = np.array([2.0, -0.5]), np.array([0.5, 1.0])


def table():
    columns = normal_columns(COEF, ERROR, 0.9)
    z, p, low, high = columns.values()
    return {"coef": COEF, "std error": ERROR, "z": z, "p": p, "low": low, "high": high}


def test_normal_law():
    columns = table()
    np.testing.assert_allclose(columns["z"], [4.0, -0.5])
    np.testing.assert_allclose(columns["p"], 2 * (1 - norm.cdf([4.0, 0.5])), rtol=1e-9)
    np.testing.assert_allclose(norm.cdf((columns["high"] - COEF) / ERROR), 0.95)
    np.testing.assert_allclose(columns["high"] - COEF, COEF - columns["low"])


def test_a_coefficient_without_error_is_not_tested():
    z, p, low, high = normal_columns(np.zeros(1), np.zeros(1), 0.95).values()
    assert np.isnan(z).all()
    assert np.isnan(p).all()
    assert low == high == 0.0


def test_frame_and_text():
    frame = coefficient_frame(["intercept", "x0"], table())
    assert frame.loc["x0", "coef"] == -0.5
    lines = coefficient_lines(["intercept", "x0"], table(), 0.9)
    assert lines[0].split()[:4] == ["coef", "std", "error", "z"]
    assert lines[0].endswith("90 % interval")
    assert lines[1].split()[:4] == ["intercept", "2", "0.5", "4.00"]
    assert lines[0].index("z") == lines[1].index("4.00") + 3, "columns are flush right"


def test_level():
    check_level("Model", 0.5)
    for bad in (0, 1, -1, 95):
        with pytest.raises(ValueError, match="Model: level must be between 0 and 1, got"):
            check_level("Model", bad)
