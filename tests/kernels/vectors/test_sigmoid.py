"""The sigmoid kernel (kernels.07)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics.pairwise import sigmoid_kernel

from margin.kernels import Sigmoid, check_psd, find_violation
from margin.testing import KernelContract


class TestSigmoid(KernelContract):
    definite = False

    def make(self):
        return [Sigmoid(), Sigmoid(0.3, -1.0)]


def test_the_offset_is_within():
    """kernels.07: tanh(kappa x'z + theta), not tanh(kappa x'z) + theta."""
    assert_allclose(Sigmoid(0.5, 1.0)([[1.0]], [[2.0]]), np.tanh(2.0), rtol=1e-14)
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(9, 3)), rng.normal(size=(5, 3))
    assert_allclose(
        Sigmoid(0.4, -0.6)(X, Z), sigmoid_kernel(X, Z, gamma=0.4, coef0=-0.6), rtol=1e-12
    )


def test_it_is_not_positive_semi_definite():
    """Two points are enough: k(x, x) < 0 for a negative offset."""
    verdict = check_psd(Sigmoid(1.0, -1.0), [[0.1], [0.2]])
    assert not verdict
    assert verdict.eigenvalue < -0.5
    assert not find_violation(Sigmoid(1.0, -1.0), rng=0)


@pytest.mark.parametrize("bad", [{"gamma": 0.0}, {"coef0": np.inf}])
def test_parameters_are_refused(bad):
    with pytest.raises(ValueError, match=f"Sigmoid: {next(iter(bad))} must be"):
        Sigmoid(**bad)
