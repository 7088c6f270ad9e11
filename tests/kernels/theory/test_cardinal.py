"""Cardinal functions of a kernel (kernels.17)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import make_interp_spline

from margin.core import FitError
from margin.kernels import (
    RBF,
    BSpline,
    CatmullRom,
    KernelFunction,
    Matern,
    RationalQuadratic,
    Sinc,
    Triangle,
    cardinal,
)

NODES = np.arange(12.0)[:, None]


@pytest.mark.parametrize(
    "kernel", [RBF(0.7), Matern(2.0), BSpline(), Triangle(), Sinc(), CatmullRom()], ids=str
)
def test_one_at_a_node_and_zero_at_the_others(kernel):
    """kernels.17: k(x)' K^-1 of any kernel."""
    assert_allclose(cardinal(kernel, NODES)(NODES), np.eye(12), atol=1e-10)


@pytest.mark.parametrize("kernel", [Triangle(), Sinc(), CatmullRom()], ids=str)
def test_a_cardinal_kernel_is_its_own_cardinal_function(kernel):
    x = np.linspace(2.0, 9.0, 40)[:, None]
    assert_allclose(cardinal(kernel, NODES)(x), kernel(x, NODES), atol=1e-13)


@pytest.mark.parametrize(
    "kernel",
    [RBF(0.4), Matern(0.7, nu=1.5), Matern(0.7, nu=2.5), RationalQuadratic(0.5, 1.0)],
    ids=str,
)
def test_weights_by_a_linear_system_for_every_point(kernel):
    """kernels.17: k(x)' K^-1, one system per point, for nodes at uneven distances."""
    nodes = np.sort(np.random.default_rng(1).uniform(0, 8, size=9))[:, None]
    K = np.array([[kernel([a], [b])[0, 0] for b in nodes] for a in nodes])
    x = np.linspace(-1, 9, 23)
    wanted = [np.linalg.solve(K, [kernel([[q]], [a])[0, 0] for a in nodes]) for q in x]
    assert_allclose(cardinal(kernel, nodes)(x[:, None]), wanted, rtol=1e-6, atol=1e-8)


def test_the_exponential_kernel_in_closed_form():
    """kernels.17: a Markov kernel asks only the two neighbours: hyperbolic sines between them."""
    scale, step = 1.7, 0.8
    nodes = np.arange(8.0) * step
    x = np.linspace(0.0, nodes[-1], 57)
    values = cardinal(Matern(scale, nu=0.5), nodes[:, None])(x[:, None])
    for row, q in zip(values, x, strict=True):
        wanted, left = np.zeros(8), min(int(q / step), 6)
        wanted[left] = np.sinh((nodes[left + 1] - q) / scale) / np.sinh(step / scale)
        wanted[left + 1] = np.sinh((q - nodes[left]) / scale) / np.sinh(step / scale)
        assert_allclose(row, wanted, atol=1e-10)
    outside = cardinal(Matern(scale, nu=0.5), nodes[:, None])([[nodes[-1] + 1.0]])[0]
    assert_allclose(outside[-1], np.exp(-1.0 / scale), rtol=1e-10)
    assert_allclose(outside[:-1], 0, atol=1e-10)


def test_shannons_series():
    """kernels.17: for sinc the interpolant is the sum of shifted sines over pi times distance."""
    values = np.random.default_rng(2).normal(size=12)
    x = np.linspace(0.3, 10.7, 31)
    wanted = [sum(v * np.sinc(q - k) for k, v in enumerate(values)) for q in x]
    assert_allclose(cardinal(Sinc(), NODES)(x[:, None]) @ values, wanted, atol=1e-12)


@pytest.mark.parametrize("kernel", [RBF(1.2), Matern(2.0)], ids=str)
def test_no_function_with_the_same_values_is_shorter(kernel):
    """kernels.17: they have the least norm, one over the variance left at their node."""
    nodes, extra = NODES[:6], np.random.default_rng(3).uniform(0, 5, size=(9, 1))
    functions = cardinal(kernel, nodes)
    others = np.delete(np.arange(6), 2)
    K = kernel(nodes)
    left = K[2, 2] - K[2, others] @ np.linalg.solve(K[np.ix_(others, others)], K[others, 2])
    shortest = KernelFunction(kernel, nodes, functions.inverse[:, 2])
    assert_allclose(shortest.norm() ** 2, 1.0 / left, rtol=1e-6)
    rng = np.random.default_rng(4)
    for _ in range(20):
        bump = rng.normal(size=9)
        mend = -functions.inverse @ (kernel(nodes, extra) @ bump)
        coef = np.concatenate([functions.inverse[:, 2] + mend, bump])
        longer = KernelFunction(kernel, np.concatenate([nodes, extra]), coef)
        assert_allclose(longer(nodes), np.eye(6)[2], atol=1e-6)
        assert longer.norm() >= shortest.norm() * (1 - 1e-9)


def test_cubic_splines():
    """In the middle of a long grid the cardinal spline interpolates as any cubic spline."""
    nodes = np.arange(60.0)
    values = np.random.default_rng(0).normal(size=60)
    x = np.linspace(28.0, 31.0, 31)
    ours = cardinal(BSpline(), nodes[:, None])(x[:, None]) @ values
    assert_allclose(ours, make_interp_spline(nodes, values, k=3)(x), atol=1e-8)


def test_repeated_nodes_are_mended_and_recorded():
    mended = cardinal(RBF(1.0), np.array([[0.0], [0.0], [1.0]]))
    assert "added" in mended.repair
    assert cardinal(RBF(1.0), NODES[:3]).repair == ""


def test_an_indefinite_kernel_is_named():
    with pytest.raises(FitError, match="matrix of CatmullRom"):
        cardinal(CatmullRom(), np.linspace(0.0, 3.0, 30)[:, None])
