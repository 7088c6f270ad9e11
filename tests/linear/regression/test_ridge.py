"""Ridge regression (linear.13)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin.core import Status
from margin.linear import LinearRegression, Ridge

X_GOLDEN = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
Y_GOLDEN = np.array([1.0, 2.0, 4.0])


def sample(n=60, p=4, k=None, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.geomspace(0.3, 3, p)
    shape = (p,) if k is None else (p, k)
    noise = rng.normal(size=n if k is None else (n, k))
    return X, X @ rng.normal(size=shape) + 3.0 + noise, rng.random(n) + 0.1


@pytest.mark.parametrize("solver", ["auto", "cholesky", "svd"])
def test_golden_numbers(solver):
    """linear.13: lambda = 1 with the intercept as a penalised column gives (.8, 1.26666667)."""
    model = Ridge(alpha=1.0, fit_intercept=False, solver=solver).fit(X_GOLDEN, Y_GOLDEN)
    assert_allclose(model.coef_, [0.8, 1.26666667], atol=5e-9)
    assert_allclose(model.coef_, [4 / 5, 19 / 15], rtol=1e-14)


def test_weighted_sub_problem_of_reweighted_least_squares():
    """linear.07: (I + X'WX)^-1 X'Wz, the minimum of (z - Xb)'W(z - Xb) + |b|^2, not |b|^2/2."""
    X, z, weight = sample()
    found = Ridge(alpha=1.0, fit_intercept=False).fit(X, z, sample_weight=weight).coef_
    W = np.diag(weight)
    assert_allclose(found, np.linalg.solve(np.eye(4) + X.T @ W @ X, X.T @ W @ z), rtol=1e-10)
    V = np.sqrt(weight)
    scaled = Ridge(alpha=1.0, fit_intercept=False).fit(V[:, None] * X, V * z).coef_
    assert_allclose(found, scaled, rtol=1e-10)
    cost = lambda b: weight @ (z - X @ b) ** 2 + b @ b  # noqa: E731
    for step in 1e-3 * np.vstack([np.eye(4), -np.eye(4)]):
        assert cost(found) < cost(found + step)


def test_newton_step_of_logistic_regression_is_a_weighted_ridge():
    """linear.07: from zero, with weights p(1 - p) and working targets z = Xb + (y - p)/w."""
    X, t, _ = sample()
    y = (t > np.median(t)).astype(float)
    w, z = np.full(len(y), 0.25), (y - 0.5) / 0.25
    step = Ridge(alpha=1.0, fit_intercept=False).fit(X, z, sample_weight=w).coef_
    newton = np.linalg.solve(np.eye(4) + 0.25 * X.T @ X, X.T @ (y - 0.5))
    assert_allclose(step, newton, rtol=1e-10)


def test_shrinkage_factors():
    """linear.13: singular values 1 and 3 shrink by 1/2 and 9/10 at lambda = 1."""
    Q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(9, 2)))
    X, y = Q * [1.0, 3.0], Q @ [2.0, -1.0]
    plain = LinearRegression(fit_intercept=False).fit(X, y).coef_
    assert_allclose(Ridge(fit_intercept=False).fit(X, y).coef_ / plain, [0.5, 0.9], rtol=1e-12)


@pytest.mark.parametrize("shape", [(60, 4), (7, 30), (5, 5)])
@pytest.mark.parametrize("alpha", [1e-4, 1.0, 1e4])
def test_svd_form_normal_equations_and_dual_form_agree(shape, alpha):
    """linear.13: with effective degrees of freedom between 0 and the rank."""
    X, y, _ = sample(*shape)
    C, t = X - X.mean(axis=0), y - y.mean()
    U, d, Vt = np.linalg.svd(C, full_matrices=False)
    by_svd = Vt.T @ (d / (d**2 + alpha) * (U.T @ t))
    primal = np.linalg.solve(C.T @ C + alpha * np.eye(shape[1]), C.T @ t)
    dual = C.T @ np.linalg.solve(C @ C.T + alpha * np.eye(shape[0]), t)
    assert_allclose(primal, by_svd, rtol=1e-6, atol=1e-9)
    assert_allclose(dual, by_svd, rtol=1e-6, atol=1e-9)
    for solver in ("auto", "svd"):
        assert_allclose(Ridge(alpha=alpha, solver=solver).fit(X, y).coef_, by_svd, atol=1e-10)
    dof = np.sum(d**2 / (d**2 + alpha))
    assert 0 < dof < min(shape)


@pytest.mark.parametrize("solver", ["auto", "cholesky", "svd"])
@pytest.mark.parametrize("storage", [np.asarray, np.asfortranarray, sparse.csr_array])
@pytest.mark.parametrize("shape", [(60, 4), (6, 40)])
def test_solvers_and_storages_agree(solver, storage, shape):
    X, y, s = sample(*shape)
    wanted = Ridge(alpha=0.3, solver="svd").fit(X, y, sample_weight=s)
    found = Ridge(alpha=0.3, solver=solver).fit(storage(X), y, sample_weight=s)
    assert_allclose(found.coef_, wanted.coef_, rtol=1e-8, atol=1e-10)
    assert_allclose(found.intercept_, wanted.intercept_, rtol=1e-9)
    assert found.fit_report_.status is Status.CONVERGED


def test_is_least_squares_on_augmented_data():
    """linear.13: sqrt(alpha) I below the centred design, zeros below the target."""
    X, y, _ = sample()
    C, t = X - X.mean(axis=0), y - y.mean()
    A, b = np.vstack([C, np.sqrt(2.5) * np.eye(4)]), np.append(t, np.zeros(4))
    wanted = LinearRegression(fit_intercept=False).fit(A, b).coef_
    assert_allclose(Ridge(alpha=2.5).fit(X, y).coef_, wanted, rtol=1e-11)


def test_limits_of_the_penalty():
    """linear.13: none is least squares, a huge one leaves the mean; the norm falls between."""
    X, y, _ = sample()
    plain = LinearRegression().fit(X, y)
    assert_allclose(Ridge(alpha=0.0).fit(X, y).coef_, plain.coef_, rtol=1e-13)
    heavy = Ridge(alpha=1e14).fit(X, y)
    assert np.abs(heavy.coef_).max() < 1e-10
    assert_allclose(heavy.predict(X), y.mean(), rtol=1e-9)
    norms = [np.linalg.norm(Ridge(alpha=a).fit(X, y).coef_) for a in np.logspace(-4, 6, 30)]
    assert np.diff(norms).max() < 0
    assert_array_equal(Ridge(alpha=0).fit(X, y).coef_, Ridge(alpha=0.0).fit(X, y).coef_)


def test_gradient_vanishes_at_the_answer():
    """linear.13: recomputed from the data, weights and all; the certificate says the same."""
    X, y, s = sample()
    model = Ridge(alpha=0.7).fit(X, y, sample_weight=s)
    error = model.predict(X) - y
    gradient = X.T @ (s * error) + 0.7 * model.coef_
    assert np.abs(gradient).max() < 1e-11
    assert abs(s @ error) < 1e-11
    value = 0.5 * s @ error**2 + 0.35 * model.coef_ @ model.coef_
    assert_allclose(model.fit_report_.objective, value, rtol=1e-12)
    assert model.fit_report_.certificate.holds
    assert model.fit_report_.certificate.value < 1e-13


def test_one_strength_per_target():
    """linear.13: as if each target were alone, in the order given."""
    X, Y, s = sample(k=4)
    alpha = [3.0, 0.1, 3.0, 0.0]
    model = Ridge(alpha=alpha).fit(X, Y, sample_weight=s)
    for k in range(4):
        alone = Ridge(alpha=alpha[k]).fit(X, Y[:, k], sample_weight=s)
        assert_allclose(model.coef_[k], alone.coef_, rtol=1e-10)
        assert_allclose(model.intercept_[k], alone.intercept_, rtol=1e-10)
    with pytest.raises(ValueError, match=r"Ridge: alpha must be a number or one per target \(4\)"):
        Ridge(alpha=[1.0, 2.0]).fit(X, Y)


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf, "1", None, [1.0, -2.0], [1.0, np.nan]])
def test_bad_strengths_are_refused(bad):
    X, Y, _ = sample(k=2)
    with pytest.raises(ValueError, match="Ridge: alpha must be "):
        Ridge(alpha=bad).fit(X, Y)


def test_constant_columns_and_rows_of_weight_zero():
    X, y, s = sample()
    s[::3] = 0.0
    with_constant = np.column_stack([X, np.full(60, 0.1)])
    model = Ridge().fit(with_constant, y, sample_weight=s)
    kept = s > 0
    wanted = Ridge().fit(X[kept], y[kept], sample_weight=s[kept])
    assert model.coef_[-1] == 0.0
    assert_allclose(model.coef_[:-1], wanted.coef_, rtol=1e-11)
    assert model.rank_ == 4
    twice = Ridge().fit(np.vstack([X, X]), np.append(y, y))
    assert_allclose(Ridge().fit(X, y, sample_weight=np.full(60, 2.0)).coef_, twice.coef_)


def test_collinear_columns_need_no_svd_under_a_penalty():
    X, y, _ = sample()
    model = Ridge(alpha=1.0, solver="cholesky").fit(np.column_stack([X, X]), y)
    assert_allclose(model.coef_[:4], model.coef_[4:], rtol=1e-10)
    free = Ridge(alpha=0.0, solver="cholesky").fit(np.column_stack([X, X]), y)
    shortest = Ridge(alpha=0.0, solver="svd").fit(np.column_stack([X, X]), y)
    assert_allclose(free.coef_, shortest.coef_, rtol=1e-10)


def test_float32_and_several_jobs():
    X, y, s = sample(n=4000)
    one = Ridge(n_jobs=1).fit(X, y, sample_weight=s)
    for n_jobs in (2, 3):
        assert_array_equal(Ridge(n_jobs=n_jobs).fit(X, y, sample_weight=s).coef_, one.coef_)
    single = Ridge().fit(X.astype(np.float32), y, sample_weight=s)
    assert single.coef_.dtype == np.float32
    assert_allclose(single.coef_, one.coef_, rtol=1e-4)


def test_failed_fit_leaves_the_old_model():
    X, y, _ = sample()
    model = Ridge().fit(X, y)
    before = model.coef_
    model.alpha = -1.0
    with pytest.raises(ValueError, match="Ridge: alpha"):
        model.fit(X[:, :2], y)
    assert model.coef_ is before
    assert model.n_features_in_ == 4


@pytest.mark.parametrize("solver", ["lsqr", "sparse_cg", "sag", "saga", "cholesky"])
def test_every_solver_name_gives_the_exact_answer(solver):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(30, 4)), rng.normal(size=(30, 2))
    model = Ridge(0.5, solver=solver, tol=0.1, max_iter=1, copy_X=False, random_state=0).fit(X, Y)
    assert_allclose(model.coef_, Ridge(0.5, solver="svd").fit(X, Y).coef_, rtol=1e-10)
    assert model.solver_ == solver
    assert model.n_iter_.shape == (2,)


def test_automatic_solver_says_which_it_was():
    x = np.arange(10.0)[:, None]
    assert Ridge().fit(x, x.ravel()).solver_ == "cholesky"
    twice = np.column_stack([x, x])
    assert Ridge(0.0).fit(twice, x.ravel()).solver_ == "svd"
