"""Searches over the parameters of a kernel."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.gaussian_process import kernels as sk
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from margin.gp import GaussianProcessClassifier, GaussianProcessRegressor, KernelRidge
from margin.kernels import RBF, White

X = np.linspace(0, 6, 30)[:, None]
y = np.sin(X[:, 0])


@pytest.mark.parametrize("kernel", [RBF(1.0) + White(0.01), sk.RBF(1.0) + sk.WhiteKernel(0.01)])
def test_grid_search(kernel):
    model = GaussianProcessRegressor(kernel, optimizer=None)
    grid = {"kernel__k1__length_scale": [0.01, 1.0]}
    search = GridSearchCV(model, grid, cv=[(range(0, 30, 2), range(1, 30, 2))]).fit(X, y)
    assert search.best_params_ == {"kernel__k1__length_scale": 1.0}
    assert search.best_estimator_.kernel_.get_params()["k1__length_scale"] == 1.0
    assert model.kernel is kernel


def test_in_a_pipeline_and_with_a_new_kernel():
    pipeline = make_pipeline(StandardScaler(), KernelRidge(0.1, kernel=RBF(1.0)))
    pipeline.set_params(kernelridge__kernel__length_scale=2.0, kernelridge__alpha=0.5)
    assert pipeline[-1].kernel == RBF(2.0)
    assert pipeline[-1].alpha == 0.5
    model = GaussianProcessClassifier().set_params(kernel=RBF(1.0), kernel__length_scale=3.0)
    assert model.kernel == RBF(3.0)


def test_clones_share_the_value():
    model = GaussianProcessRegressor(RBF(1.0))
    other = clone(model).set_params(kernel__length_scale=2.0)
    assert model.kernel == RBF(1.0)
    assert other.kernel == RBF(2.0)
