"""Tables, objects and matrices at the border."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator

from margin.gp._inputs import Precomputed, new, own_rows, resolve_kernel, structured, training
from margin.kernels import RBF, Kernel, Sigmoid


class Owner(BaseEstimator):
    def fit(self, X, y):
        return self


class Words(Kernel):
    input = "strings"

    def __call__(self, X, Z=None, *, n_threads=None):
        Z = X if Z is None else Z
        return np.array([[float(len(set(x) & set(z))) for z in Z] for x in X])

    def diag(self, X):
        return np.array([float(len(set(x))) for x in X])


def test_kernels_by_name_object_and_function():
    assert resolve_kernel("GP", None) is None
    assert resolve_kernel("GP", RBF(2.0)) == RBF(2.0)
    assert isinstance(resolve_kernel("GP", "precomputed"), Precomputed)
    assert resolve_kernel("GP", "rbf") == RBF(2.0**-0.5)
    K = resolve_kernel("GP", lambda X, Z: X @ Z.T)(np.ones((2, 1)))
    np.testing.assert_array_equal(K, 1.0)


@pytest.mark.parametrize("bad", ["rbff", 3.0, Sigmoid(1.0, 0.0)])
def test_bad_kernels(bad):
    with pytest.raises(ValueError, match="GP: kernel must be"):
        resolve_kernel("GP", bad)


def test_objects_stay_a_list():
    X, y = training(Owner(), Words(), ("ab", "bc"), [1, 2])
    assert X == ["ab", "bc"]
    assert y.dtype == np.float64
    assert structured(Words())
    assert not structured(RBF(1.0))


def test_bad_objects():
    with pytest.raises(ValueError, match="y must be of length 2"):
        training(Owner(), Words(), ["a", "b"], [1.0])
    with pytest.raises(ValueError, match="X must hold at least 1 sample"):
        training(Owner(), Words(), [], [])
    with pytest.raises(ValueError, match="NaN"):
        training(Owner(), Words(), ["a"], [np.nan])


def test_a_matrix_must_be_square_and_symmetric():
    K = np.array([[2.0, 1.0], [1.0, 2.0]])
    X, _ = training(Owner(), Precomputed(), K, [0.0, 1.0])
    np.testing.assert_array_equal(X, K)
    np.testing.assert_array_equal(Precomputed().diag(K), [2.0, 2.0])
    with pytest.raises(ValueError, match="square kernel matrix"):
        training(Owner(), Precomputed(), np.ones((2, 3)), [0.0, 1.0])
    with pytest.raises(ValueError, match="symmetric kernel matrix"):
        training(Owner(), Precomputed(), [[1.0, 0.5], [0.2, 1.0]], [0.0, 1.0])


def test_tables_are_double_precision():
    owner = Owner()
    X, _ = training(owner, RBF(1.0), np.ones((2, 3), dtype=np.float32), [0.0, 1.0])
    assert X.dtype == np.float64
    owner.fitted_ = True
    with pytest.raises(ValueError, match="3 features"):
        new(owner, RBF(1.0), np.ones((1, 2)))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_model_owns_its_rows(dtype):
    X = np.ones((4, 2), dtype=dtype)
    kept, _ = training(Owner(), RBF(1.0), X, np.zeros(4))
    X[:] = 0.0
    np.testing.assert_array_equal(kept, np.ones((4, 2)))


def test_sparse_rows_are_copied():
    X = sparse.csr_array(np.eye(3))
    kept = own_rows(X)
    X.data[:] = 5.0
    np.testing.assert_array_equal(kept.toarray(), np.eye(3))
