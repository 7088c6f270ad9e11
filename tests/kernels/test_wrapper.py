"""What kernels of one kernel share."""

import numpy as np
import pytest

from margin.kernels import RBF, Power, Sigmoid, exponential, normalise


def test_hyper_parameters_are_those_of_the_kernel_within():
    inner = RBF((1.0, 2.0))
    for kernel in (Power(inner, 2), normalise(inner), exponential(inner)):
        assert kernel.theta_names == inner.theta_names
        np.testing.assert_array_equal(kernel.theta, inner.theta)
        np.testing.assert_array_equal(kernel.bounds, inner.bounds)
        assert kernel.with_theta([0.0, 0.0]).kernel == RBF((1.0, 1.0))
        assert kernel.input == "vectors"
        assert kernel.stationary


def test_definiteness_is_that_of_the_kernel_within():
    assert normalise(Sigmoid()).definite == "no"
    assert exponential(RBF()).definite == "positive"


def test_only_kernels_are_wrapped():
    with pytest.raises(ValueError, match="Normalised: kernel must be a kernel, got 3"):
        normalise(3)
