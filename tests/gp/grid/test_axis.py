"""One axis of a grid: prefilter, taps, folding."""

import numpy as np
import pytest

from margin.core import FitError
from margin.gp.grid._axis import GridAxis
from margin.kernels import RBF, BSpline, CatmullRom, Triangle

RNG = np.random.default_rng(0)


def axis(kernel, n=7, boundary="zero", width=2.0, spacing=1.0):
    return GridAxis(n, 0.0, spacing, kernel, width, boundary)


def test_catmull_rom_taps():
    """gp.09: (-1, 9, 9, -1) / 16 at one half, taps -1 to 2."""
    index, weight = axis(CatmullRom()).taps(np.array([2.5, 3.25]))
    assert index.tolist() == [[1, 2, 3, 4], [2, 3, 4, 5]]
    np.testing.assert_allclose(weight[0], np.array([-1, 9, 9, -1]) / 16, atol=1e-15)
    golden = [-0.0703125, 0.8671875, 0.2265625, -0.0234375]
    np.testing.assert_allclose(weight[1], golden, atol=1e-15)


def test_pulse_through_the_cubic_prefilter():
    """gp.10: N = 5."""
    made = axis(BSpline(degree=3), 5).prefilter(np.array([0.0, 0.0, 1.0, 0.0, 0.0]))
    np.testing.assert_allclose(made, [3 / 26, -6 / 13, 45 / 26, -6 / 13, 3 / 26], atol=1e-14)


@pytest.mark.parametrize("boundary", ["zero", "mirror", "periodic"])
@pytest.mark.parametrize("degree", [1, 2, 3, 5, 7])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 9])
def test_prefilter_solves_the_folded_system(boundary, degree, n):
    Y = RNG.normal(size=(n, 2))
    one = axis(BSpline(degree=degree), n, boundary, 0.5 * (degree + 1))
    np.testing.assert_allclose(one.folded() @ one.prefilter(Y), Y, atol=1e-9)


def test_folding_by_hand():
    nodes = axis(Triangle(2.0), 3, "mirror", 2.0)
    matrix = [[1.0, 1.0, 0.0], [0.5, 1.0, 0.5], [0.0, 1.0, 1.0]]
    np.testing.assert_allclose(nodes.folded(), matrix)
    around = axis(Triangle(2.0), 4, "periodic", 2.0).folded()
    np.testing.assert_allclose(around[0], [1.0, 0.5, 0.0, 0.5])


def test_kernel_without_end_uses_every_node():
    one = axis(RBF(0.8), 6, width=np.inf)
    x = np.array([-0.4, 2.3])
    np.testing.assert_allclose(one.matrix(x), RBF(0.8)(x[:, None], np.arange(6.0)[:, None]))


def test_triangle_explains_all_but_the_parabola():
    """gp.08: what is left is 2t(1 - t)."""
    t = np.array([0.0, 0.25, 0.5])
    left = 1.0 - axis(Triangle(), width=1.0).explained(3 + t)
    np.testing.assert_allclose(left, [0.0, 0.375, 0.5], atol=1e-15)


def test_singular_matrix_is_explained():
    with pytest.raises(FitError, match="shorter length scale"):
        axis(Triangle(2.0), 4, "periodic", 2.0).prefilter(np.array([1.0, -1.0, 1.0, -1.0]))
