"""The thin-plate function (kernels.11)."""

import numpy as np
from numpy.testing import assert_allclose

from margin.kernels import ThinPlate, check_conditionally_psd, check_psd
from margin.testing import KernelContract


class TestThinPlate(KernelContract):
    stationary = True
    definite = False

    def make(self):
        return [ThinPlate()]


def test_values_by_brute_force():
    X = np.random.default_rng(0).normal(size=(6, 2))
    r = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    wanted = r**2 * np.log(np.where(r > 0, r, 1.0))
    assert_allclose(ThinPlate()(X), wanted, atol=1e-13)


def test_indefinite_but_conditionally_definite():
    """kernels.11: the raw matrix has eigenvalues of both signs, the projected one has not."""
    for seed in range(5):
        X = np.random.default_rng(seed).uniform(size=(15, 2))
        assert not check_psd(ThinPlate(), X)
        verdict = check_conditionally_psd(ThinPlate(), X)
        assert verdict
        assert verdict.eigenvalue > 0


def test_it_has_no_bandwidth():
    """Stretching adds only what affine functions and a multiple absorb."""
    X = np.random.default_rng(1).normal(size=(12, 2))
    affine = np.column_stack([np.ones(12), X])
    complement = np.linalg.svd(affine)[0][:, 3:]
    one = complement.T @ ThinPlate()(X) @ complement
    other = complement.T @ ThinPlate()(3.0 * X) @ complement
    assert_allclose(other, 9.0 * one, atol=1e-11)
