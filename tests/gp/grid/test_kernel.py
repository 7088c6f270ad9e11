"""Kernels as products over groups of columns."""

import numpy as np
import pytest

from margin.gp.grid._kernel import grid_kernel, shift_invariant
from margin.kernels import (
    RBF,
    BSpline,
    Constant,
    Laplacian,
    Linear,
    Matern,
    Periodic,
    White,
    normalise,
    on_columns,
)

KERNELS = {
    "one scale": (2.0 * RBF(0.7) + White(0.1), ((0,), (1,), (2,))),
    "a scale each": (2.0 * RBF((0.7, 0.5, 1.0)), ((0,), (1,), (2,))),
    "fixed": ((RBF((0.7, 0.5, 1.0)) + White(0.1)).fix("k1.length_scale[1]"), ((0,), (1,), (2,))),
    "periodic": (3.0 * Periodic((0.7, 0.5, 1.0), 2.0), ((0,), (1,), (2,))),
    "spline": (BSpline((0.7, 0.5, 1.0)), ((0,), (1,), (2,))),
    "city block": (Laplacian(2.0), ((0,), (1,), (2,))),
    "radial": (Matern(2.0), ((0, 1, 2),)),
    "space and time": (
        on_columns(Matern(1.0), [2, 0]) * on_columns(2.0 * RBF(1.0) + Constant(0.5), [1]),
        ((0, 2), (1,)),
    ),
    "overlapping": (
        on_columns(Matern(1.0), [0, 1]) * on_columns(Linear(), [1]) * on_columns(RBF(2.0), [2]),
        ((0, 1), (2,)),
    ),
    "a column unseen": (1.5 * on_columns(RBF((1.0, 2.0)).fix(), [0, 2]), ((0,), (1,), (2,))),
    "a column twice": (on_columns(Linear(), [0, 0]), ((0, 1, 2),)),
}


@pytest.mark.parametrize("name", KERNELS)
def test_the_product_of_the_factors_is_the_kernel(name):
    """gp.11: values, and derivatives in all hyper-parameters, of tensor-product kernels."""
    kernel, groups = KERNELS[name]
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(5, 3)), rng.normal(size=(4, 3))
    found = grid_kernel(kernel, 3)
    assert found.groups == groups
    values = [
        axis.kernel(X[:, list(axis.columns)].copy(), Z[:, list(axis.columns)].copy())
        for axis in found.axes
    ]
    np.testing.assert_allclose(found.factor * np.prod(values, axis=0), kernel(X, Z), rtol=1e-12)
    weight = rng.normal(size=(5, 5))
    matrices = [axis.kernel(X[:, list(axis.columns)].copy()) for axis in found.axes]
    latent = np.zeros(len(found.parts.latent.theta))
    whole = found.factor * np.prod(matrices, axis=0)
    latent[found.factor_at] = np.sum(weight * whole)
    for j, axis in enumerate(found.axes):
        rest = found.factor * np.prod(matrices[:j] + matrices[j + 1 :], axis=0)
        axis.gradient(X[:, list(axis.columns)].copy(), weight * rest, latent)
    made = found.parts.gradient(latent, float(np.trace(weight)))
    np.testing.assert_allclose(made, kernel.gradient_product(X, weight), rtol=1e-9, atol=1e-9)


def test_refusals():
    with pytest.raises(ValueError, match="Gaussian process on a grid: kernel must be"):
        grid_kernel(2.0 * (RBF(1.0) + White(0.1)), 2)
    with pytest.raises(ValueError, match="on_columns: columns must be"):
        grid_kernel(on_columns(RBF(1.0), [5]), 2)


def test_functions_of_the_difference_are_known_as_such():
    shifts = [RBF(1.0), 2.0 * Matern(1.0) + Periodic(1.0), RBF(1.0) * Laplacian(1.0), RBF(1.0) ** 2]
    assert all(map(shift_invariant, shifts))
    others = [Linear(), normalise(Linear() + 1.0), RBF(1.0) + Linear()]
    assert not any(map(shift_invariant, others))
