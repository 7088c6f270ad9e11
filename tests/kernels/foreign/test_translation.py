"""Kernels of scikit-learn in ours: values, derivatives, hyper-parameters and bounds."""

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as sk

from margin.kernels import RBF, Foreign, from_sklearn

X = np.random.default_rng(0).normal(size=(7, 1))
Z = np.random.default_rng(1).normal(size=(4, 1))
WIDE = np.random.default_rng(2).normal(size=(6, 2))

LINE = [
    sk.RBF(0.7, (1e-2, 1e2)),
    sk.Matern(0.7, nu=0.5),
    sk.Matern(0.7, nu=2.5),
    sk.Matern(0.7, nu=np.inf),
    sk.RationalQuadratic(0.7, 1.3),
    sk.RationalQuadratic(0.7, 1.3, length_scale_bounds="fixed"),
    sk.ExpSineSquared(0.9, 1.7),
    sk.DotProduct(1.4),
    sk.ConstantKernel(2.0) * sk.RBF(0.5) + sk.WhiteKernel(0.1),
    sk.RBF(0.5) * sk.ConstantKernel(2.0) + sk.WhiteKernel(0.1, "fixed"),
    sk.RationalQuadratic(0.7, 1.3) * sk.ConstantKernel(2.0, "fixed") * sk.DotProduct(0.3),
    (sk.DotProduct(0.4) + sk.WhiteKernel(0.2)) ** 2,
    (sk.RBF(0.4) + sk.WhiteKernel(0.2)) * (sk.DotProduct(1.0) + sk.ConstantKernel(0.3)),
    sk.RBF(0.4) ** 1.5 + sk.WhiteKernel(0.2),
    sk.PairwiseKernel(gamma=0.4, metric="rbf") * sk.ConstantKernel(0.3),
]


def agrees(theirs, rows, others, columns):
    both = from_sklearn(theirs, columns=columns)
    theta = theirs.theta + 0.3
    moved, ours = theirs.clone_with_theta(theta), both.at(theta)
    np.testing.assert_allclose(ours(rows), moved(rows), rtol=1e-10)
    np.testing.assert_allclose(ours(rows, others), moved(rows, others), rtol=1e-10)
    np.testing.assert_allclose(ours.diag(rows), moved.diag(rows), rtol=1e-10)
    weight = np.random.default_rng(3).normal(size=(len(rows), len(rows)))
    slopes = np.einsum("ij,ijp->p", weight + weight.T, moved(rows, eval_gradient=True)[1])
    mine = both.gradient(ours.gradient_product(rows, weight + weight.T))
    np.testing.assert_allclose(mine, slopes, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(both.outward(ours.bounds), theirs.bounds, rtol=1e-12)
    back = both.theirs_at(ours)
    assert type(back) is type(theirs)
    np.testing.assert_allclose(back.theta, theta, rtol=1e-12)


@pytest.mark.parametrize("theirs", LINE, ids=str)
def test_all_of_it_agrees_with_scikit_learn(theirs):
    agrees(theirs, X, Z, 1)


@pytest.mark.parametrize(
    "theirs",
    [
        sk.RBF([0.7, 2.0], [(1e-2, 1e2), (1e-3, 1e3)]),
        sk.Matern([0.7, 2.0], nu=1.5) + sk.WhiteKernel(0.3),
        sk.ExpSineSquared(0.9, 1.7) * sk.ConstantKernel(2.0),
    ],
    ids=str,
)
def test_several_columns(theirs):
    agrees(theirs, WIDE, WIDE[:3] + 0.5, 2)


def test_a_subclass_is_called_as_it_is():
    class Steep(sk.RBF):
        def diag(self, X):
            return 2.0 * super().diag(X)

    ours = from_sklearn(Steep(0.5)).ours
    assert isinstance(ours.kernel, Foreign)
    np.testing.assert_array_equal(ours.diag(X), np.full(7, 2.0))


def test_given_kernel_is_not_changed_nor_shared():
    theirs = sk.RBF(0.5)
    both = from_sklearn(theirs)
    both.at([1.0])
    both.theirs.theta = [2.0]
    assert theirs.length_scale == 0.5


def test_a_start_outside_the_bounds_is_moved_inside():
    both = from_sklearn(sk.RBF(1.0, (1e-5, 1e-3)))
    assert both.ours.kernel == RBF(1.0)
    assert both.start.kernel.length_scale == pytest.approx(1e-3)


def test_a_search_sees_the_coordinates_of_scikit_learn():
    both, calls = from_sklearn(sk.DotProduct(3.0, (0.1, 10.0))), []

    def search(objective, start, bounds):
        calls.append((start, bounds, objective(start)))
        return start - 1.0, 0.0

    ours = both.ours
    x, _ = both.search(search)(
        lambda t, g: (float(t[0]), np.ones(1)), ours.theta, bounds=ours.bounds
    )
    start, bounds, (value, slope) = calls[0]
    np.testing.assert_allclose(start, np.log([3.0]))
    np.testing.assert_allclose(bounds, np.log([[0.1, 10.0]]))
    np.testing.assert_allclose([value, slope[0]], [np.log(9.0), 2.0])
    np.testing.assert_allclose(x, 2.0 * (np.log([3.0]) - 1.0))


def test_refuses_anything_else_and_thetas_of_another_length():
    with pytest.raises(ValueError, match="kernels: kernel must be one of sklearn"):
        from_sklearn(RBF(1.0))
    with pytest.raises(ValueError, match=r"RBF: theta must be of shape \(1,\), got \(2,\)"):
        from_sklearn(sk.RBF()).at([0.0, 1.0])
