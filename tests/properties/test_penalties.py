"""Penalties over all finite coefficients."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from margin.penalties import L1, L2, Zero

strength = st.floats(0, 1e3)
steps = st.floats(1e-6, 1e3)
shape = hnp.array_shapes(max_dims=2, max_side=5)
entries = st.floats(-1e6, 1e6)


@st.composite
def pairs(draw):
    size = draw(shape)
    return tuple(draw(hnp.arrays(np.float64, size, elements=entries)) for _ in range(2))


@pytest.mark.parametrize("make", [L1, L2, lambda alpha: Zero()])
@given(alpha=strength, step=steps, case=pairs())
@example(alpha=1.0, step=1e-6, case=(np.array([33.0]), np.array([1e6])))
def test_prox_satisfies_the_optimality_condition(make, alpha, step, case):
    """penalties.01 and penalties.02: (w - p) / step is a subgradient at the proximal point p."""
    penalty, (w, u) = make(alpha), case
    p = penalty.prox(w, step)
    g = (w - p) / step
    bound = penalty.value(p) + float(np.vdot(g, u - p))
    size = abs(penalty.value(u)) + abs(bound) + float(np.abs(g).max() * np.abs(u - p).sum())
    # Rounding of w - p, which the division by the step enlarges.
    rounding = 4e-16 / step * float(np.vdot(np.abs(w), np.abs(u - p)))
    assert penalty.value(u) >= bound - 1e-9 * (1 + size) - rounding


@pytest.mark.parametrize("make", [L1, L2, lambda alpha: Zero()])
@given(alpha=strength, step=steps, case=pairs())
def test_prox_never_lengthens(make, alpha, step, case):
    """Two points come no further apart, and one moves no further from zero."""
    penalty, (w, u) = make(alpha), case
    moved = np.linalg.norm(penalty.prox(w, step) - penalty.prox(u, step))
    assert moved <= np.linalg.norm(w - u) * (1 + 1e-12)
    assert (np.abs(penalty.prox(w, step)) <= np.abs(w)).all()


@given(alpha=strength, step=steps, case=pairs())
def test_soft_threshold_zeroes_exactly_what_is_small(alpha, step, case):
    """penalties.02: zero at and below the threshold, shrunk by the threshold above."""
    w, _ = case
    p = L1(alpha).prox(w, step)
    threshold = alpha * step
    small = np.abs(w) <= threshold
    assert (p[small] == 0).all()
    np.testing.assert_allclose(
        np.abs(w[~small]) - np.abs(p[~small]), threshold, rtol=1e-6, atol=1e-9 * np.abs(w).max()
    )


@given(alpha=strength, factor=st.floats(0, 1e3), case=pairs())
def test_penalties_are_homogeneous(alpha, factor, case):
    """penalties.01 and penalties.02: degree two for the square, one for the absolute value."""
    w, _ = case
    np.testing.assert_allclose(
        L2(alpha).value(factor * w), factor**2 * L2(alpha).value(w), rtol=1e-9, atol=1e-300
    )
    np.testing.assert_allclose(
        L1(alpha).value(factor * w), factor * L1(alpha).value(w), rtol=1e-9, atol=1e-300
    )
