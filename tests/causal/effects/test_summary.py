import numpy as np
from numpy.testing import assert_allclose

from margin.causal.effects._summary import EffectSummary


def test_a_table_of_effects():
    told = EffectSummary(
        "matching", ("a", "b"), np.array([1.96, 0.0]), np.array([1.0, 0.0]),
        np.array([[0.0, 3.92], [0, 0]]), 0.9, 7, {"adjusted for": "z"}, ("careful",),
    )  # fmt: skip
    assert_allclose(told.p_values, [0.05, 1.0], atol=1e-4)
    text = repr(told)
    assert "matching, 7 rows" in text
    assert "5 %" in text
    assert "adjusted for: z" in text
    assert "note: careful" in text
    assert told.to_frame().loc["a", "high"] == 3.92
