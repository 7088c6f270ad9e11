"""Kernels put together at random: positive semi-definite, symmetric, with the right gradients."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from margin.kernels import (
    RBF,
    BSpline,
    Constant,
    GammaExponential,
    Laplacian,
    Linear,
    Matern,
    Periodic,
    Polynomial,
    RationalQuadratic,
    Triangle,
    Wendland,
    check_psd,
    exponential,
    gaussian,
    normalise,
    on_columns,
    scaled_by,
)

scale = st.floats(0.2, 5.0)
scales = scale | st.tuples(scale, scale)


def first_column(X):
    return 1.0 + X[:, 0]


leaves = st.one_of(
    st.builds(RBF, scales),
    st.builds(Matern, scales, nu=st.sampled_from([0.5, 0.9, 1.5, 2.5])),
    st.builds(GammaExponential, scales, st.floats(0.2, 1.9)),
    st.builds(RationalQuadratic, scales, scale),
    st.builds(Laplacian, scales),
    st.builds(Periodic, scales, scales),
    st.builds(Wendland, scales, dimension=st.just(2), smoothness=st.sampled_from([2, 4, 6])),
    st.builds(BSpline, scales, st.sampled_from([3, 5])),
    st.builds(Triangle, scales),
    st.builds(Polynomial, st.integers(1, 2), st.floats(0.1, 1.0), st.floats(0.1, 2.0)),
    st.builds(Constant, scale),
    st.just(Linear()),
)


def composed(children):
    return st.one_of(
        st.builds(lambda a, b: a + b, children, children),
        st.builds(lambda a, b: a * b, children, children),
        st.builds(lambda c, k: c * k, scale, children),
        st.builds(lambda k: k**2, children),
        st.builds(normalise, children),
        st.builds(lambda k: exponential(normalise(k)), children),
        st.builds(lambda k, s: gaussian(normalise(k), s), children, scale),
        st.builds(lambda k: scaled_by(k, first_column), children),
        st.builds(lambda k: on_columns(k, [1, 0]), children),
    )


kernels = st.recursive(leaves, composed, max_leaves=4)
tables = st.integers(0, 2**32 - 1).map(
    lambda seed: np.random.default_rng(seed).normal(size=(9, 2)) * 1.5
)


@settings(max_examples=60, deadline=None)
@given(kernel=kernels, X=tables)
def test_compositions_are_kernels(kernel, X):
    """kernels.19: symmetric to the bit, no negative eigenvalue, diagonal as promised."""
    K = kernel(X)
    assert_array_equal(K, K.T)
    assert check_psd(kernel, X, tol=1e-9)
    top = np.abs(K).max()
    assert_allclose(np.diagonal(K), kernel.diag(X), rtol=1e-9, atol=1e-12 * top)
    # The normalised features of equal points are found at a distance of the root of rounding.
    assert_allclose(kernel(X[:4], X), K[:4], rtol=1e-6, atol=1e-6 * top)


@settings(max_examples=40, deadline=None)
@given(kernel=kernels, X=tables, seed=st.integers(0, 1000))
def test_gradients_of_compositions(kernel, X, seed):
    """The weighted gradient against central differences in every hyper-parameter."""
    theta = kernel.theta
    weight = np.random.default_rng(seed).normal(size=(9, 9))
    found = kernel.gradient_product(X, weight)
    assert found.shape == theta.shape == (len(kernel.theta_names),)
    assert kernel.with_theta(theta) == kernel
    h = 1e-6
    for j in range(len(theta)):
        step = h * np.eye(len(theta))[j]
        change = kernel.with_theta(theta + step)(X) - kernel.with_theta(theta - step)(X)
        wanted = float((weight * change).sum() / (2 * h))
        size = float(np.abs(weight * change).sum() / (2 * h))
        rounding = 1e-9 * float(np.abs(kernel(X)).max()) / h * 1e-2
        assert_allclose(found[j], wanted, rtol=1e-4, atol=1e-4 * size + rounding)
