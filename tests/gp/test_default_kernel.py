"""The kernel a model starts from when it is given none."""

import numpy as np

from margin.gp._default_kernel import MOST_COLUMNS, default_kernel
from margin.gp._noise import noise_variance


def test_units_of_the_data():
    X = np.random.default_rng(0).normal(size=(50, 3)) * [1e-6, 1.0, 1e6]
    for kernel in (default_kernel(X, noise=False), default_kernel(X, noise=True)):
        names = [name for name in kernel.theta_names if "length_scale" in name]
        assert len(names) == 3
        assert (kernel.theta > kernel.bounds[:, 0]).all()
        assert (kernel.theta < kernel.bounds[:, 1]).all()
        K = kernel(X)
        assert 0.05 < np.median(K) < 0.95
    np.testing.assert_allclose(noise_variance(kernel, X), 0.1)


def test_constant_columns_do_no_harm():
    K = default_kernel(np.ones((4, 2)), noise=False)(np.ones((4, 2)))
    np.testing.assert_array_equal(K, 1.0)


def test_many_columns_share_a_scale():
    X = np.random.default_rng(0).normal(size=(20, MOST_COLUMNS + 1))
    assert default_kernel(X, noise=False).theta_names == ("factor", "length_scale")
