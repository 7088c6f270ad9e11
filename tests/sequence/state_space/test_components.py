"""Blocks of structural series."""

import numpy as np
import pytest

from margin.sequence.state_space._components import StructuralDesign, level, seasonal, trend


@pytest.mark.parametrize("period", [2, 4, 7])
def test_seasons_repeat_and_sum_to_zero(period):
    part = seasonal(period)
    rng = np.random.default_rng(0)
    state, seen = rng.normal(size=period - 1), []
    for _ in range(2 * period):
        seen.append(part.c @ state)
        state = part.A @ state
    np.testing.assert_allclose(seen[:period], seen[period:], atol=1e-12)
    assert sum(seen[:period]) == pytest.approx(0.0, abs=1e-12)


def test_design():
    design = StructuralDesign((trend(True), seasonal(4)), 2)
    assert design.noises == ("level", "trend", "seasonal", "irregular")
    assert design.places == {
        "trend": slice(0, 2), "seasonal": slice(2, 5), "regression": slice(5, 7),
    }  # fmt: skip
    U = np.arange(6.0).reshape(3, 2)
    system = design.system(np.array([1.0, 2.0, 3.0, 4.0]), U)
    np.testing.assert_array_equal(np.diagonal(system.Q), [1, 2, 3, 0, 0, 0, 0])
    np.testing.assert_array_equal(system.C[1, 0], [1, 0, 1, 0, 0, 2, 3])
    assert system.R[0, 0] == 4.0
    still = StructuralDesign((level(False),), 0)
    assert still.noises == ("irregular",)
