"""Losses over all finite scores, not only those a test would think of."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from margin.losses import Logistic, Softmax, Squared

scores = st.floats(-1e6, 1e6)
vectors = hnp.arrays(np.float64, hnp.array_shapes(max_dims=1, max_side=20), elements=scores)


@st.composite
def score_target_weight(draw, targets):
    z = draw(vectors)
    n = len(z)
    y = draw(hnp.arrays(np.float64, n, elements=targets))
    weight = draw(hnp.arrays(np.float64, n, elements=st.floats(0, 1e3)))
    return z, y, weight


binary = score_target_weight(st.floats(0, 1))
exact_complement = score_target_weight(st.integers(0, 64).map(lambda k: k / 64))
real = score_target_weight(scores)


@given(binary)
def test_logistic_is_finite_nonnegative_and_bounded(case):
    """losses.08: value at least 0, slope in [-1, 1], curvature in [0, 1/4], everywhere."""
    z, y, _ = case
    loss = Logistic()
    assert np.isfinite(loss.value(z, y)).all()
    assert (loss.value(z, y) >= 0).all()
    assert (np.abs(loss.slope(z, y)) <= 1).all()
    bend = loss.curvature(z, y)
    assert ((bend >= 0) & (bend <= 0.25 * (1 + 1e-15))).all()


@given(exact_complement)
def test_logistic_is_symmetric_in_the_classes(case):
    """losses.08: exchanging the classes and the sign of the score changes nothing."""
    z, y, _ = case
    loss = Logistic()
    np.testing.assert_allclose(loss.value(z, y), loss.value(-z, 1 - y), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(loss.slope(z, y), -loss.slope(-z, 1 - y), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("loss", [Logistic(), Squared()])
@given(case=binary, n_threads=st.integers(1, 4))
def test_sweep_is_the_weighted_sum(loss, case, n_threads):
    z, y, weight = case
    total, slope, bend = loss.sweep(z, y, weight, curvature=True, n_threads=n_threads)
    value = loss.value(z, y)
    np.testing.assert_allclose(total, weight @ value, rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(slope, weight * loss.slope(z, y), rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(bend, weight * loss.curvature(z, y), rtol=1e-9, atol=1e-300)


@given(real, real)
def test_squared_is_minimised_by_the_mean(case, other):
    """losses.02: no constant prediction does better than the weighted mean."""
    _, y, weight = case
    if weight.sum() <= 1e-6:
        return
    loss, mean = Squared(), np.average(y, weights=weight)
    least = weight @ loss.value(np.full_like(y, mean), y)
    for constant in other[0]:
        cost = weight @ loss.value(np.full_like(y, constant), y)
        assert cost >= least - 1e-9 * (1 + least)


@given(
    hnp.arrays(np.float64, st.tuples(st.integers(1, 8), st.integers(2, 5)), elements=scores),
    st.floats(-1e3, 1e3),
    st.data(),
)
def test_softmax_ignores_a_shift_and_its_slopes_sum_to_zero(z, shift, data):
    """losses.12: adding one number to all scores of a row changes nothing."""
    n, k = z.shape
    y = data.draw(hnp.arrays(np.int64, n, elements=st.integers(0, k - 1)))
    loss = Softmax()
    size = 1 + np.abs(z).max()
    np.testing.assert_allclose(loss.value(z, y), loss.value(z + shift, y), atol=1e-12 * size)
    np.testing.assert_allclose(loss.slope(z, y).sum(axis=1), 0.0, atol=1e-12)
    assert (loss.value(z, y) >= 0).all()


@given(binary)
def test_two_class_softmax_is_logistic(case):
    """losses.12 and losses.08: scores (0, z) of two classes give the logistic loss of z."""
    z, y, _ = case
    label = (y > 0.5).astype(np.int64)
    pair = np.column_stack([np.zeros_like(z), z])
    np.testing.assert_allclose(
        Softmax().value(pair, label),
        Logistic().value(z, label.astype(float)),
        rtol=1e-9,
        atol=1e-12,
    )
