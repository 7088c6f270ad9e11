"""Labels as signs (losses.01)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.losses import Exponential, Hinge, Logistic, Perceptron, SquaredHinge, ZeroOne
from margin.losses.margin._margin import shares, signs


def test_both_codings_give_the_same_sign():
    assert signs(np.array([0, 1, 1])).tolist() == [-1, 1, 1]
    assert signs(np.array([-1.0, 1.0, 1.0])).tolist() == [-1, 1, 1]


EVERY = [ZeroOne(), Perceptron(), Hinge(), SquaredHinge(), Exponential(), Logistic()]


@pytest.mark.parametrize("loss", EVERY)
def test_margin_losses_take_both_codings(loss):
    """losses.01: a loss of the margin y z means the same for labels 0/1 and -1/+1."""
    rng = np.random.default_rng(0)
    z, y = rng.normal(size=50), rng.integers(2, size=50)
    for method in (loss.value, loss.slope, loss.curvature):
        assert_allclose(method(z, y), method(z, 2.0 * y - 1))
        # Only the product of label and score counts.
        assert_allclose(np.abs(method(z, y)), np.abs(method(-z, 1 - y)))


@pytest.mark.parametrize("labels", [[-1, 1, 1, -1], [0, 1, 1, 0]])
def test_shares_are_probabilities_of_the_positive_class(labels):
    assert_allclose(shares(labels), [0, 1, 1, 0])
    assert_allclose(shares([0.0, 0.25, 1.0]), [0.0, 0.25, 1.0])
    assert shares([]).shape == (0,)


@pytest.mark.parametrize("odd", [2.0, -0.5, -2.0, 1.5, np.inf])
@pytest.mark.parametrize("loss", EVERY)
def test_other_labels_are_refused_by_name(loss, odd):
    """losses.01: labels that belong to no coding."""
    need = rf"^{type(loss).__name__}: y must be labels of 0 and 1, or of -1 and \+1.*got {odd}"
    with pytest.raises(ValueError, match=need):
        loss.value(np.zeros(3), np.array([0.0, 1.0, odd]))


@pytest.mark.parametrize("loss", EVERY)
def test_codings_are_not_mixed(loss):
    with pytest.raises(ValueError, match=rf"^{type(loss).__name__}: y must be .* got 0\.0"):
        loss.value(np.zeros(3), np.array([-1.0, 0.0, 1.0]))
