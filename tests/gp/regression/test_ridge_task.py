"""The systems of a task, and what is left for later."""

import numpy as np
import pytest

from margin.gp import KernelRidge
from margin.gp.regression._ridge_task import RidgeTask
from margin.kernels import RBF, Linear

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("kernel", [RBF(1.0), Linear()])
def test_held_out_is_the_fit_without_each_row(kernel):
    X, Y = RNG.normal(size=(15, 2)), RNG.normal(size=(15, 3))
    strengths = [(0.1, np.array([0, 2])), (2.0, np.array([1]))]
    held = RidgeTask("KernelRidge", Y, None, strengths, True).held_out(kernel, X)
    for i in range(15):
        rest = np.delete(np.arange(15), i)
        task = RidgeTask("KernelRidge", Y[rest], None, strengths, True)
        for (_, places), system in zip(strengths, task.solved(kernel, X[rest]), strict=True):
            expected = kernel(X[i : i + 1], X[rest]) @ system.coefficients + system.intercept
            np.testing.assert_allclose(held[i, places], expected[0])


def test_leaving_out_is_of_the_fit_whatever_happened_since():
    X, y, weight = RNG.normal(size=(20, 3)), RNG.normal(size=20), RNG.uniform(1, 2, 20)
    expected = KernelRidge(kernel="rbf", alpha=0.3).fit(X, y, weight).loo_prediction_
    model = KernelRidge(kernel="rbf", alpha=0.3).fit(X, y, weight)
    X += 1.0
    y[:] = 0.0
    weight[:] = 1.0
    model.set_params(alpha=7.0, fit_intercept=True, kernel="linear")
    np.testing.assert_array_equal(model.loo_prediction_, expected)


def test_no_leaving_out_before_the_fit():
    assert not hasattr(KernelRidge(), "loo_prediction_")
