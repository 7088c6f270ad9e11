import numpy as np
import pytest
from scipy import sparse
from sklearn.pipeline import make_pipeline

from margin import kernels
from margin.linear import Ridge
from margin.svm import SVC, KernelFeatures, LinearSVC

RNG = np.random.default_rng(3)
TABLE = RNG.normal(size=(120, 3))


@pytest.mark.parametrize(("method", "n", "limit"), [("pivoted", 120, 1e-6), ("fourier", 4000, 0.1)])
def test_products_of_features_are_the_kernel(method, n, limit):
    """kernels.33: scalar products of the features approximate the kernel at new rows too."""
    model = KernelFeatures(method=method, n_components=n, gamma=0.1, random_state=0).fit(TABLE)
    new = 0.5 * RNG.normal(size=(20, 3))
    products = model.transform(new) @ model.transform(TABLE).T
    exact = kernels.resolve("rbf", gamma=0.1, X=TABLE)(new, TABLE)
    assert np.abs(products - exact).max() < limit
    assert model.fit_report_.objective < limit


def test_monomials_are_exact():
    kernel = kernels.Polynomial(2, gamma=0.5, coef0=1.0)
    model = KernelFeatures(method="polynomial", kernel=kernel).fit(TABLE)
    assert model.transform(TABLE).shape[1] == 10
    np.testing.assert_allclose(
        model.transform(TABLE) @ model.transform(TABLE).T, kernel(TABLE), atol=1e-10
    )


def test_all_rows_as_landmarks_give_the_kernel_machine():
    """svm.12: a linear machine of explicit features is the kernel machine."""
    y = np.sign(TABLE[:, 0] * TABLE[:, 1])
    # The linear machine penalises its intercept: a column of 100 makes that negligible.
    linear = LinearSVC(C=1.0, loss="hinge", intercept_scaling=100.0, tol=1e-8, max_iter=20_000)
    features = KernelFeatures(method="pivoted", n_components=120, gamma=0.5)
    ours = make_pipeline(features, linear).fit(TABLE, y).decision_function(TABLE)
    np.testing.assert_allclose(
        ours, SVC(gamma=0.5, tol=1e-8).fit(TABLE, y).decision_function(TABLE), atol=2e-3
    )


def test_strings_through_their_kernel():
    texts = ["ababab", "abab", "bbbb", "bbabbb", "aba"]
    model = KernelFeatures(kernel=kernels.Spectrum(k=2), n_components=5).fit(texts)
    features = model.transform(texts)
    np.testing.assert_allclose(features @ features.T, kernels.Spectrum(k=2)(texts), atol=1e-8)
    Ridge().fit(features, np.arange(5.0))


@pytest.mark.parametrize("method", ["nystroem", "pivoted", "fourier"])
def test_sparse_is_dense(method):
    thin = np.where(np.abs(TABLE) > 0.7, TABLE, 0.0)
    options = {"method": method, "n_components": 20, "gamma": 0.3, "random_state": 1}
    dense = KernelFeatures(**options).fit(thin).transform(thin)
    again = KernelFeatures(**options).fit(sparse.csr_array(thin)).transform(sparse.csr_array(thin))
    np.testing.assert_allclose(dense @ dense.T, again @ again.T, atol=1e-8)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "magic"}, "KernelFeatures: method must be one of"),
        ({"n_components": 0}, "KernelFeatures: n_components must be"),
        ({"kernel": "precomputed"}, "KernelFeatures: kernel must be a kernel that can be"),
        ({"gamma": -1.0}, "KernelFeatures: gamma must be"),
    ],
)
def test_refuses(options, words):
    with pytest.raises(ValueError, match=words):
        KernelFeatures(**options).fit(TABLE)


def test_refuses_waves_of_strings():
    with pytest.raises(ValueError, match="method must be 'nystroem' or 'pivoted' for objects"):
        KernelFeatures(method="fourier", kernel=kernels.Spectrum(k=2)).fit(["ab", "ba"])
