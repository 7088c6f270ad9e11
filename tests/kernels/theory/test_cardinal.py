"""Cardinal functions of a kernel (kernels.17)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import make_interp_spline

from margin.core import FitError
from margin.kernels import RBF, BSpline, CatmullRom, Matern, Sinc, Triangle, cardinal

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


def test_cubic_splines():
    """In the middle of a long grid the cardinal spline interpolates as any cubic spline."""
    nodes = np.arange(60.0)
    values = np.random.default_rng(0).normal(size=60)
    x = np.linspace(28.0, 31.0, 31)
    ours = cardinal(BSpline(), nodes[:, None])(x[:, None]) @ values
    assert_allclose(ours, make_interp_spline(nodes, values, k=3)(x), atol=1e-8)


def test_repeated_nodes_are_mended_and_recorded():
    made = cardinal(RBF(1.0), np.array([[0.0], [0.0], [1.0]]))
    assert "added" in made.repair
    assert cardinal(RBF(1.0), NODES[:3]).repair == ""


def test_an_indefinite_kernel_is_named():
    with pytest.raises(FitError, match="matrix of CatmullRom"):
        cardinal(CatmullRom(), np.linspace(0.0, 3.0, 30)[:, None])
