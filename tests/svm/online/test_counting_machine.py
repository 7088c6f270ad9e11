"""What the counting machines share."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from margin import kernels
from margin.svm import KernelPegasos, KernelPerceptron


def blobs(n=90, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.digitize(X[:, 0] + 0.3 * rng.normal(size=n), [-0.5, 0.5])


def test_one_row_of_signs_per_machine():
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array(["a", "b", "c"])
    classes, problem = KernelPerceptron(kernel="linear")._problem(X, y, None)
    assert classes.tolist() == ["a", "b", "c"]
    assert problem.signs.tolist() == [[1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
    assert np.allclose(problem.gram.matrix, X @ X.T)
    _, pair = KernelPerceptron()._problem(X, np.array([0, 1, 1]), None)
    assert pair.signs.tolist() == [[-1, 1, 1]]


@pytest.mark.parametrize("machine", [KernelPegasos, KernelPerceptron])
@pytest.mark.parametrize("storage", [np.asarray, csr_array], ids=["dense", "sparse"])
def test_a_small_cache_gives_the_same_machine(machine, storage):
    X, y = blobs(600)
    settings = {"max_iter": 3, **({"tol": 1.0} if machine is KernelPegasos else {})}
    held = machine(**settings, cache_size=200)
    blocks = machine(**settings, cache_size=1e-3)
    for model in (held, blocks):
        model.n_iter_no_change = 1
        model.fit(storage(X), y)
    assert np.allclose(held.decision_function(X), blocks.decision_function(X), rtol=1e-4, atol=1e-4)
    assert np.abs(held.counts_ - blocks.counts_).sum() <= 4


@pytest.mark.parametrize("machine", [KernelPegasos, KernelPerceptron])
def test_strings_and_weights(machine):
    words, y = ["aab", "aba", "baa", "xyy", "yxy", "yyx"], [0, 0, 0, 1, 1, 1]
    settings = {"alpha": 0.5} if machine is KernelPegasos else {}
    model = machine(kernel=kernels.Spectrum(1), **settings)
    model.fit(words, y, sample_weight=[1, 2, 1, 0, 1, 1])
    assert model.predict(words).tolist() == y
    assert 3 not in model.support_


def test_an_indefinite_kernel_is_named():
    K = np.array([[0.0, 1.0], [1.0, 0.0]])
    with pytest.warns(UserWarning, match="KernelPerceptron: the kernel matrix is not positive"):
        KernelPerceptron(kernel="precomputed").fit(K, [0, 1])


def test_refuses_cache_size():
    with pytest.raises(ValueError, match="KernelPegasos: cache_size must be a number above 0"):
        KernelPegasos(cache_size=0).fit([[0.0], [1.0]], [0, 1])
