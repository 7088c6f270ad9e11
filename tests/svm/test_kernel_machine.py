"""Fitted machines as sums of kernels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin import kernels, svm
from margin.svm._kernel_machine import functions_at

X = np.random.default_rng(0).normal(size=(30, 3))
Y = np.digitize(X[:, 0] + 0.1 * X[:, 1], [-0.5, 0.5])


def test_functions_keep_the_precision_of_the_table():
    support = np.array([2, 5])
    f = functions_at(kernels.RBF(), X.astype(np.float32), support, np.ones((2, 1)), [0.5])
    assert f.intercept.dtype == np.float32
    assert f.support.dtype == np.int32
    assert_array_equal(f.vectors, X[support].astype(np.float32))


def test_no_objects_are_kept_of_a_matrix():
    f = functions_at(None, X @ X.T, np.array([0, 3]), np.ones((2, 1)), [0.0])
    assert f.vectors.shape == (0, 0)
    assert_allclose(f(X @ X.T)[:, 0], X @ (X[0] + X[3]))


@pytest.mark.parametrize(
    "machine",
    [
        svm.SVC,
        svm.NuSVC,
        svm.CrammerSingerSVC,
        svm.WestonWatkinsSVC,
        svm.KernelPegasos,
        svm.KernelPerceptron,
        svm.SVR,
        svm.OneClassSVM,
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_weights_of_the_features_give_the_scores(machine):
    """svm.13, svm.16, svm.18: f(x) = <w, x> + b, for the linear kernel only."""
    model = machine(kernel="linear").fit(X, Y)
    assert_allclose(X @ model.coef_.T + model.intercept_, model._scores(X), atol=1e-9)
    other = machine(kernel="rbf").fit(X, Y)
    with pytest.raises(AttributeError, match=r"coef_ is there for kernel='linear' only, got .*rbf"):
        _ = other.coef_


def test_the_kernel_that_was_learnt_is_named():
    model = svm.MultipleKernelSVC(kernels=["linear", "rbf"], strategy="mean").fit(X, Y)
    with pytest.raises(AttributeError, match=r"got kernel=.* \* Linear\(\) \+ .* \* RBF"):
        _ = model.coef_
