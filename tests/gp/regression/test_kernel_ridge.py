"""Kernel ridge regression: the mean of a Gaussian process, scikit-learn's estimator."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.kernel_ridge import KernelRidge as Peer

from margin.core import FitError, memory
from margin.gp import GaussianProcessRegressor, KernelRidge
from margin.kernels import RBF, KernelFunction, Linear, Spectrum, representer_certificate
from margin.linear import Ridge
from margin.testing import checks_for

RNG = np.random.default_rng(1)
X = RNG.normal(size=(25, 3))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * RNG.normal(size=25)
NEW = RNG.normal(size=(9, 3))
NAMED = ("linear", "poly", "polynomial", "rbf", "laplacian", "cosine")


@pytest.mark.parametrize("kernel", NAMED)
def test_agrees_with_scikit_learn(kernel):
    weight = RNG.uniform(0, 2, 25)
    mine = KernelRidge(alpha=0.7, kernel=kernel, degree=2).fit(X, Y, weight)
    peer = Peer(alpha=0.7, kernel=kernel, degree=2).fit(X, Y, weight)
    np.testing.assert_allclose(mine.predict(NEW), peer.predict(NEW), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(mine.dual_coef_, peer.dual_coef_, rtol=1e-8, atol=1e-9)


def test_is_the_mean_of_a_gaussian_process():
    """gp.04: alpha is the variance of the noise, and a weight divides it."""
    weight = RNG.uniform(0.5, 2, 25)
    ridge = KernelRidge(alpha=0.2, kernel=RBF(1.3)).fit(X, Y, weight)
    process = GaussianProcessRegressor(kernel=RBF(1.3), alpha=0.2 / weight, optimizer=None)
    np.testing.assert_allclose(ridge.predict(NEW), process.fit(X, Y).predict(NEW), rtol=1e-10)
    np.testing.assert_allclose(ridge.loo_prediction_, process.loo_predict_dist().mean)


def test_worked_number():
    """gp.04 at the datum of gp.03: (0, 1), k = exp(-1), alpha = 0.1."""
    model = KernelRidge(alpha=0.1, kernel="rbf", gamma=0.5).fit([[0.0]], [1.0])
    assert model.predict([[np.sqrt(2.0)]])[0] == pytest.approx(0.33443586, abs=1e-8)


def test_linear_kernel_is_ridge():
    primal = Ridge(alpha=0.4, fit_intercept=False).fit(X, Y)
    np.testing.assert_allclose(KernelRidge(alpha=0.4).fit(X, Y).predict(NEW), primal.predict(NEW))


@pytest.mark.parametrize(
    ("kernel", "form"),
    [*((kernel, np.array) for kernel in NAMED), ("linear", sparse.csr_array)],
)
def test_what_happens_to_the_table_after_the_fit_does_not_matter(kernel, form):
    """Neither to the last digit of a prediction at the training rows, nor when it is changed."""
    table = form(RNG.normal(size=(60, 5)))
    model = KernelRidge(kernel=kernel, fit_intercept=True).fit(table, RNG.normal(size=60))
    before = model.predict(table)
    np.testing.assert_array_equal(model.predict(table.copy()), before)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(table), before)
    copy = table.copy()
    table *= 2.0
    np.testing.assert_array_equal(model.predict(copy), before)


def test_no_function_of_the_space_does_better():
    """gp.06: the derivative along every section of the kernel vanishes."""
    model = KernelRidge(alpha=0.3, kernel=RBF(1.0)).fit(X, Y)
    f = KernelFunction(RBF(1.0), X, model.dual_coef_)
    evidence = representer_certificate(f, Y, 0.3, NEW)
    assert evidence.gradient < 1e-12
    assert evidence.gain < 1e-12
    assert model.fit_report_.objective == pytest.approx(evidence.objective)
    assert model.fit_report_.certificate.holds


def test_several_targets_with_a_penalty_each():
    table = np.column_stack([Y, X[:, 0], -Y])
    model = KernelRidge(alpha=[0.1, 2.0, 0.1], kernel="rbf").fit(X, table)
    for j, alpha in enumerate((0.1, 2.0, 0.1)):
        alone = KernelRidge(alpha=alpha, kernel="rbf").fit(X, table[:, j])
        np.testing.assert_allclose(model.predict(NEW)[:, j], alone.predict(NEW))
        np.testing.assert_allclose(model.loo_prediction_[:, j], alone.loo_prediction_)


def test_leaving_out_one_row_at_a_time():
    model = KernelRidge(alpha=0.3, kernel="rbf").fit(X, Y)
    for i in (0, 7, 24):
        rest = KernelRidge(alpha=0.3, kernel="rbf").fit(np.delete(X, i, 0), np.delete(Y, i))
        assert model.loo_prediction_[i] == pytest.approx(rest.predict(X[i : i + 1])[0])


def test_precomputed_sparse_function_and_objects():
    k = RBF(1.0)
    plain = KernelRidge(alpha=0.3, kernel=k).fit(X, Y).predict(NEW)
    matrix = KernelRidge(alpha=0.3, kernel="precomputed").fit(k(X), Y)
    np.testing.assert_allclose(matrix.predict(k(NEW, X)), plain)
    thin = KernelRidge(alpha=0.3, kernel="rbf", gamma=0.5).fit(sparse.csr_matrix(X), Y)
    np.testing.assert_allclose(thin.predict(sparse.csr_matrix(NEW)), plain)

    def function(A, B, length):
        return RBF(length)(A, B)

    own = KernelRidge(alpha=0.3, kernel=function, kernel_params={"length": 1.0}).fit(X, Y)
    np.testing.assert_allclose(own.predict(NEW), plain)
    words = KernelRidge(alpha=0.1, kernel=Spectrum(1)).fit(["aab", "abb", "bbb"], [2.0, 1.0, 0.0])
    assert words.predict(["aaa"])[0] > words.predict(["bbb"])[0]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": -1.0}, "KernelRidge: alpha must be"),
        ({"alpha": [1.0, np.nan]}, "KernelRidge: alpha must be"),
        ({"alpha": [1.0, 2.0]}, "one per target"),
        ({"kernel": "gauss"}, "KernelRidge: kernel must be"),
        ({"kernel": "rbf", "gamma": -1.0}, "KernelRidge: gamma must be"),
        ({"gamma": "rule"}, "KernelRidge: gamma must be"),
        ({"fit_intercept": 1}, "KernelRidge: fit_intercept must be"),
        ({"degree": 0}, "KernelRidge: degree must be"),
        ({"coef0": np.inf}, "KernelRidge: coef0 must be"),
        ({"kernel_params": 3}, "KernelRidge: kernel_params must be"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        KernelRidge(**parameters).fit(X, Y)


def test_degenerate_data():
    assert KernelRidge(alpha=1.0, kernel="rbf").fit([[0.0]], [2.0]).predict([[0.0]])[
        0
    ] == pytest.approx(1.0)
    constant = KernelRidge(alpha=1e-3, kernel="rbf").fit(np.ones((4, 2)), [1.0, 2.0, 3.0, 4.0])
    assert constant.predict([[1.0, 1.0]])[0] == pytest.approx(10.0 / 4.001)
    twins = KernelRidge(alpha=0.0, kernel="rbf").fit([[0.0], [0.0], [1.0]], [1.0, 1.0, 2.0])
    assert "rows 0 and 1 are alike" in twins.fit_report_.repairs[0]
    np.testing.assert_allclose(twins.predict([[0.0], [1.0]]), [1.0, 2.0], atol=1e-6)


def test_indefinite_kernel_names_its_eigenvalue():
    with pytest.raises(FitError, match=r"KernelRidge: .*smallest eigenvalue"):
        KernelRidge(alpha=0.01, kernel=lambda A, B: -Linear()(A, B)).fit(X, Y)


def test_memory_is_estimated_first(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 1000)
    with pytest.raises(MemoryError, match="fewer rows"):
        KernelRidge(kernel="rbf").fit(X, Y)


def test_intercept_is_an_unknown_constant_mean():
    weight = RNG.uniform(0.5, 2, 25)
    ridge = KernelRidge(alpha=0.2, kernel=RBF(1.3), fit_intercept=True).fit(X, Y + 50, weight)
    process = GaussianProcessRegressor(
        kernel=RBF(1.3), alpha=0.2 / weight, optimizer=None, mean="constant"
    ).fit(X, Y + 50)
    np.testing.assert_allclose(ridge.predict(NEW), process.predict(NEW), rtol=1e-9)
    np.testing.assert_allclose(ridge.loo_prediction_, process.loo_predict_dist().mean)
    assert ridge.dual_coef_.sum() == pytest.approx(0.0, abs=1e-9)
    linear = Ridge(alpha=0.4).fit(X, Y, weight)
    same = KernelRidge(alpha=0.4, fit_intercept=True).fit(X, Y, weight)
    np.testing.assert_allclose(same.predict(NEW), linear.predict(NEW))


MODEL = KernelRidge(fit_intercept=True)


@pytest.mark.parametrize("check", list(checks_for(MODEL)), ids=lambda check: check.__name__)
def test_contract_with_an_intercept(check):
    check("KernelRidge", MODEL)
