"""What kernels of several kernels share."""

import numpy as np
import pytest

from margin.kernels import RBF, Constant, Linear, Sigmoid, Sum, ThinPlate, White


def test_the_weakest_part_decides():
    assert (RBF() + Linear()).definite == "positive"
    assert (RBF() + ThinPlate()).definite == "conditional"
    assert (RBF() * Sigmoid() * ThinPlate()).definite == "no"


def test_stationary_only_if_all_parts_are():
    assert (RBF() + White()).stationary
    assert not (RBF() + Linear()).stationary


def test_input_of_the_parts():
    assert (RBF() + White()).input == "vectors"
    assert (Constant(1.0) + White()).input == "any"


def test_hyper_parameters_go_to_their_parts():
    kernel = (RBF((1.0, 2.0)) + Linear() + White(3.0)).with_theta(np.log([4.0, 5.0, 6.0]))
    np.testing.assert_allclose(kernel.parts[0].length_scale, (4.0, 5.0))
    np.testing.assert_allclose(kernel.parts[2].noise_level, 6.0)


@pytest.mark.parametrize("parts", [(), (1.0,), (RBF(), "linear")])
def test_parts_must_be_kernels(parts):
    with pytest.raises(ValueError, match="Sum: parts must be at least one kernel"):
        Sum(parts)
