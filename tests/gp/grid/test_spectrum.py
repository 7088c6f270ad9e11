"""The covariance of a grid in the basis of eigenvectors, against the dense matrix."""

import numpy as np
import pytest

from margin.gp.grid._kernel import grid_kernel
from margin.gp.grid._layout import layout
from margin.gp.grid._spectrum import GridSpectrum
from margin.gp.grid._toeplitz import GridToeplitz
from margin.kernels import RBF, Periodic, on_columns

KERNEL = 1.7 * (on_columns(RBF(0.5), [0]) * on_columns(Periodic(1.0, 2.0), [1]))


def grid(*sizes):
    axes = np.meshgrid(*(np.linspace(0, 2, m) for m in sizes), indexing="ij")
    return np.stack(axes, axis=-1).reshape(-1, len(sizes))


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_every_answer(axis):
    """gp.11: solves, determinant, inverse, explained variance and slopes of both bases."""
    X, shift = grid(6, 5), 0.2
    parts = grid_kernel(KERNEL, 2)
    found = layout(parts.groups, X)
    if axis is None:
        made = GridSpectrum.of(parts, found, shift)
    else:
        made = GridToeplitz.of(parts, found, shift, axis)
    C = KERNEL(X) + shift * np.eye(30)
    inverse = np.linalg.inv(C)
    rng = np.random.default_rng(0)
    Y = rng.normal(size=(30, 3))
    np.testing.assert_allclose(made.back(made.rotate(Y)), Y, atol=1e-12)
    np.testing.assert_allclose(made.back(made.solve(made.rotate(Y))), inverse @ Y, atol=1e-10)
    assert made.log_det == pytest.approx(np.linalg.slogdet(C)[1])
    np.testing.assert_allclose(made.inverse_diagonal(), np.diagonal(inverse), atol=1e-11)
    new = rng.uniform(-1, 3, size=(4, 2))
    cross = KERNEL(new, X)
    turned = [
        made.turn(j, part.kernel(new[:, [j]].copy(), found.points[j]))
        for j, part in enumerate(parts.axes)
    ]
    index = [np.arange(4)] * 2
    explained = np.einsum("ij,jk,ik->i", cross, inverse, cross)
    np.testing.assert_allclose(made.explained(turned, index), explained, atol=1e-11)
    weight = 0.5 * (Y @ Y.T - 2 * inverse)
    slopes, noise = made.slopes(made.rotate(Y), 2)
    np.testing.assert_allclose(slopes, KERNEL.gradient_product(X, weight), atol=1e-9)
    assert noise == pytest.approx(np.trace(weight))
    assert not made.repair


def test_fixed_hyper_parameters_have_no_slope():
    kernel = KERNEL.fix()
    parts = grid_kernel(kernel, 2)
    made = GridSpectrum.of(parts, layout(parts.groups, grid(4, 3)), 0.1)
    assert parts.parts.gradient(*made.slopes(np.ones((12, 1)), 1)).shape == (0,)
