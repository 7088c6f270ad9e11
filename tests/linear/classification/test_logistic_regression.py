"""Logistic regression, binary (linear.32, linear.33) and multinomial (linear.35)."""

import warnings
from contextlib import contextmanager

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from margin.core import Status, progress
from margin.linear import LogisticRegression

SOLVERS = ["auto", "newton", "newton-cg", "lbfgs", "gradient-descent"]


def sample(n=150, p=4, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.geomspace(0.5, 2, p) + 0.3
    scores = X @ rng.normal(size=(p, n_classes)) + rng.gumbel(size=(n, n_classes))
    return X, scores.argmax(axis=1), rng.random(n) + 0.1


def gradient(model, X, y, weight=None):
    """Gradient of the stated objective at the fitted coefficients, written out."""
    s = np.ones(len(y)) if weight is None else weight
    onehot = (y[:, None] == model.classes_).astype(float)
    error = s[:, None] * (model.predict_proba(X) - onehot)
    if len(model.classes_) == 2:
        error = error[:, 1:]
    coef = X.T @ error + (0.0 if np.isinf(model.C) else 1 / model.C) * model.coef_.T
    return np.vstack([coef, error.sum(axis=0)]) / s.sum()


def standardised(slope, X, weight):
    """The same gradient for features of mean zero and deviation one, the unit of ``tol``."""
    mean = np.average(X, axis=0, weights=weight)
    deviation = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weight))
    coef = (slope[:-1] - mean[:, None] * slope[-1]) / deviation[:, None]
    return np.vstack([coef, slope[-1:]])


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_reaches_the_same_optimum(solver, n_classes):
    """linear.32, linear.33, linear.35: the gradient of the stated objective vanishes."""
    X, y, s = sample(n_classes=n_classes)
    model = LogisticRegression(solver=solver, tol=1e-7, max_iter=20_000)
    model.fit(X, y, sample_weight=s)
    assert model.fit_report_.status is Status.CONVERGED
    slope = standardised(gradient(model, X, y, s), X, s)
    assert np.abs(slope).max() <= 1e-7 + 1e-12
    assert_allclose(np.abs(slope).max(), model.fit_report_.certificate.value, rtol=1e-3, atol=1e-13)
    reference = LogisticRegression(solver="newton", tol=1e-10).fit(X, y, sample_weight=s)
    assert_allclose(model.coef_, reference.coef_, atol=1e-4)
    assert_allclose(model.predict_proba(X), reference.predict_proba(X), atol=1e-5)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("C", [0.01, 10.0, np.inf])
def test_storage_does_not_change_the_answer(n_classes, fit_intercept, C):
    X, y, s = sample(n_classes=n_classes)
    X[np.abs(X) < 0.5] = 0.0
    kind = {"C": C, "fit_intercept": fit_intercept, "tol": 1e-9}
    wanted = LogisticRegression(**kind).fit(X, y, sample_weight=s)
    for A in (np.asfortranarray(X), sparse.csr_array(X), sparse.csc_array(X)):
        model = LogisticRegression(**kind).fit(A, y, sample_weight=s)
        assert_allclose(model.coef_, wanted.coef_, atol=1e-5)
        assert_allclose(model.predict_proba(A), wanted.predict_proba(X), atol=1e-6)
    assert bool(wanted.intercept_.any()) == fit_intercept


def test_shapes_labels_and_dtypes():
    """Any labels, sorted; one row of coefficients for two classes, one per class for more."""
    X, y, _ = sample(n_classes=3)
    names = np.array(["medium", "high", "low"])[y]
    model = LogisticRegression().fit(X, names)
    assert model.classes_.tolist() == ["high", "low", "medium"]
    assert model.coef_.shape == (3, 4)
    assert model.intercept_.shape == (3,)
    assert set(model.predict(X)) <= set(names)
    two = LogisticRegression().fit(X.astype(np.float32), y == 1)
    assert two.coef_.shape == (1, 4)
    assert two.coef_.dtype == two.intercept_.dtype == np.float32
    assert two.decision_function(X).shape == (150,)
    assert two.classes_.tolist() == [False, True]


def test_renaming_and_swapping_the_labels():
    """linear.32: exchanging two classes flips the sign of everything."""
    X, y, _ = sample()
    model = LogisticRegression(tol=1e-10).fit(X, y)
    swapped = LogisticRegression(tol=1e-10).fit(X, 1 - y)
    assert_allclose(swapped.coef_, -model.coef_, atol=1e-8)
    assert_allclose(swapped.predict_proba(X), model.predict_proba(X)[:, ::-1], atol=1e-9)


def test_golden_symmetry():
    """linear.32: symmetric data put the boundary in the middle, where p = 1/2."""
    model = LogisticRegression().fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    assert_allclose(model.predict_proba([[1.5]]), 0.5, atol=1e-6)
    assert_array_equal(model.predict([[0], [3]]), [0, 1])


def test_intercept_alone_is_the_log_odds():
    """linear.32: without information the probabilities are the class frequencies."""
    y = np.array([0] * 30 + [1] * 10)
    model = LogisticRegression(tol=1e-12).fit(np.zeros((40, 1)), y)
    assert_allclose(model.intercept_, np.log(1 / 3), rtol=1e-10)
    three = np.array([0] * 20 + [1] * 10 + [2] * 10)
    model = LogisticRegression(tol=1e-10).fit(np.zeros((40, 1)), three)
    assert_allclose(model.predict_proba([[0.0]])[0], [0.5, 0.25, 0.25], atol=1e-8)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_weights_are_repetitions_and_zero_is_removal(n_classes):
    X, y, _ = sample(n_classes=n_classes)
    count = np.random.default_rng(1).integers(0, 4, size=150)
    rows = np.repeat(np.arange(150), count)
    weighted = LogisticRegression(tol=1e-10).fit(X, y, sample_weight=count)
    repeated = LogisticRegression(tol=1e-10).fit(X[rows], y[rows])
    assert_allclose(weighted.coef_, repeated.coef_, atol=1e-6)
    kept = count > 0
    removed = LogisticRegression(tol=1e-10).fit(X[kept], y[kept], sample_weight=count[kept])
    assert_allclose(weighted.coef_, removed.coef_, atol=1e-6)


def test_class_weights_multiply_the_row_weights():
    X, y, s = sample(n_classes=3)
    factors = {0: 0.5, 1: 2.0, 2: 1.0}
    by_class = LogisticRegression(class_weight=factors, tol=1e-10).fit(X, y, sample_weight=s)
    by_row = LogisticRegression(tol=1e-10).fit(X, y, sample_weight=s * np.array([0.5, 2.0, 1.0])[y])
    assert_allclose(by_class.coef_, by_row.coef_, atol=1e-7)
    balanced = LogisticRegression(class_weight="balanced", tol=1e-10).fit(X, y, sample_weight=s)
    total = np.bincount(y, weights=s)
    wanted = LogisticRegression(tol=1e-10).fit(X, y, sample_weight=s * (s.sum() / (3 * total))[y])
    assert_allclose(balanced.coef_, wanted.coef_, atol=1e-7)
    count = np.random.default_rng(1).integers(1, 4, size=150)
    rows = np.repeat(np.arange(150), count)
    model = LogisticRegression(class_weight="balanced", tol=1e-10)
    repeated = model.fit(X[rows], y[rows]).coef_
    assert_allclose(model.fit(X, y, sample_weight=count).coef_, repeated, atol=1e-7)
    for bad in ({0: -1.0, 1: 1.0, 2: 1.0}, {0: 0.0, 1: 0.0, 2: 0.0}):
        with pytest.raises(ValueError, match="LogisticRegression: class_weight must be at least 0"):
            LogisticRegression(class_weight=bad).fit(X, y)


def test_penalty_limits():
    """linear.32: small C shrinks all but the intercept, infinite C is maximum likelihood."""
    X, y, _ = sample()
    heavy = LogisticRegression(C=1e-9, tol=1e-12).fit(X, y)
    assert np.abs(heavy.coef_).max() < 1e-5
    assert_allclose(heavy.predict_proba(X)[:, 1], y.mean(), atol=1e-5)
    free = LogisticRegression(C=np.inf, tol=1e-11).fit(X, y)
    assert_allclose(X.T @ (free.predict_proba(X)[:, 1] - y), 0.0, atol=1e-7)
    close = LogisticRegression(C=1e8, tol=1e-11).fit(X, y)
    assert_allclose(close.coef_, free.coef_, rtol=1e-4)
    norms = [np.linalg.norm(LogisticRegression(C=c).fit(X, y).coef_) for c in np.logspace(-3, 3, 9)]
    assert np.diff(norms).min() > 0


def test_softmax_of_two_classes_is_logistic_with_half_the_penalty():
    """linear.35: scores (-z/2, z/2) cost half the squared norm of z."""
    X, y, _ = sample()
    binary = LogisticRegression(C=3.0, tol=1e-10).fit(X, y)
    rare = np.vstack([X, X[:1]])
    three = LogisticRegression(C=1.5, tol=1e-10).fit(
        rare, np.append(y, 2), sample_weight=np.append(np.ones(150), 0.0)
    )
    odds = three.coef_[1] - three.coef_[0]
    assert_allclose(odds, binary.coef_[0], atol=1e-4)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_separable_data_without_penalty_stay_finite_and_are_reported(solver, n_classes):
    """linear.30, linear.32: there is no minimum; the report says so or a warning does."""
    X = np.linspace(0, 1, 60)[:, None] + np.repeat(np.arange(n_classes), 60 // n_classes)[:, None]
    y = np.repeat(np.arange(n_classes), 60 // n_classes)
    model = LogisticRegression(C=np.inf, solver=solver, max_iter=300)
    with warnings.catch_warnings(record=True) as caught, np.errstate(all="raise"):
        warnings.simplefilter("always")
        model.fit(X, y)
    assert [w.category for w in caught] == [ConvergenceWarning]
    assert "separable" in str(caught[0].message) or "raise max_iter" in str(caught[0].message)
    assert model.fit_report_.status in (Status.STALLED, Status.MAX_ITER)
    assert np.isfinite(model.coef_).all()
    assert np.isfinite(model.predict_log_proba(X)).all()
    assert model.score(X, y) > 0.9


def test_one_row_across_the_border_is_not_separable():
    """linear.30: rows without weight do not count, rows with weight do."""
    X, y = np.arange(10.0)[:, None], np.repeat([0, 1], 5)
    y[-1] = 0
    model = LogisticRegression(C=np.inf).fit(X, y)
    assert model.fit_report_.status is Status.CONVERGED
    weight = np.ones(10)
    weight[-1] = 0.0
    with pytest.warns(ConvergenceWarning, match="the classes are separable and there is no penalt"):
        model.fit(X, y, sample_weight=weight)


def test_data_that_are_not_separable_are_not_called_so():
    X, y, _ = sample()
    report = LogisticRegression(C=np.inf, solver="newton").fit(X, y).fit_report_
    assert report.status is Status.CONVERGED
    assert "separable" not in repr(report)


def test_max_iter_warns_and_leaves_a_model():
    X, y, _ = sample()
    model = LogisticRegression(solver="lbfgs", max_iter=2)
    with pytest.warns(
        ConvergenceWarning, match="LogisticRegression: stopped after max_iter=2 iterations"
    ):
        model.fit(X, y)
    assert model.fit_report_.status is Status.MAX_ITER
    assert model.n_iter_ == 2
    assert model.score(X, y) > 0.5


def test_interruption_leaves_the_best_model_so_far(monkeypatch):
    """Ctrl-C during a fit warns and keeps what was reached."""

    @contextmanager
    def impatient(*args, **kwargs):
        def tick(iteration, objective):
            if iteration == 3:
                raise KeyboardInterrupt

        yield tick

    monkeypatch.setattr(progress, "bar", impatient)
    X, y, _ = sample()
    model = LogisticRegression(solver="lbfgs", tol=1e-12)
    with pytest.warns(ConvergenceWarning, match="interrupted after 3 iterations"):
        model.fit(X, y)
    assert model.score(X, y) > 0.7


def test_probabilities_of_huge_scores():
    """Sums of one, logarithms without underflow at scores of a thousand."""
    model = LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    model.coef_, model.intercept_ = np.array([[1.0]]), np.array([0.0])
    X = np.array([[-1000.0], [-30.0], [0.0], [30.0], [1000.0]])
    p, log_p = model.predict_proba(X), model.predict_log_proba(X)
    assert_allclose(p.sum(axis=1), 1.0, rtol=1e-15)
    assert_allclose(log_p[0], [0.0, -1000.0], atol=1e-300)
    assert_allclose(log_p[-1], [-1000.0, 0.0], atol=1e-300)
    assert_allclose(p[1, 1], expit(-30.0), rtol=1e-14)
    three = LogisticRegression().fit([[0.0], [1.0], [2.0]], [0, 1, 2])
    three.coef_, three.intercept_ = np.array([[1.0], [0.0], [-1.0]]), np.zeros(3)
    log_p = three.predict_log_proba(X)
    assert_allclose(log_p[0], [-2000.0, -1000.0, 0.0])
    assert_allclose(three.predict_proba(X).sum(axis=1), 1.0, rtol=1e-15)
    assert np.isfinite(log_p).all()
    assert_array_equal(three.predict(X[[0, -1]]), [2, 0])


def test_decision_function_is_the_log_odds():
    X, y, _ = sample()
    model = LogisticRegression().fit(X, y)
    log_p = model.predict_log_proba(X)
    assert_allclose(model.decision_function(X), log_p[:, 1] - log_p[:, 0], rtol=1e-10)
    assert_array_equal(model.predict(X), (model.decision_function(X) > 0).astype(int))


def test_many_rows_take_the_coarse_start_and_reach_the_same_answer():
    """linear.32: with a start and a preconditioner from a part of the rows."""
    X, y, s = sample(n=4000, p=3)
    auto = LogisticRegression(tol=1e-9).fit(X, y, sample_weight=s)
    assert "preconditioned by Newton on" in auto.fit_report_.notes[0]
    plain = LogisticRegression(tol=1e-9, solver="newton").fit(X, y, sample_weight=s)
    assert_allclose(auto.coef_, plain.coef_, atol=1e-7)
    assert_allclose(auto.intercept_, plain.intercept_, atol=1e-7)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("C", [1.0, np.inf])
def test_units_and_offsets_of_the_features_do_not_matter(n_classes, C):
    """linear.32: scales from 1e-6 to 1e6 and means of 1e6 deviations, without a warning.

    With a penalty the scale is part of the problem, so C follows it feature by feature.
    """
    X, y, _ = sample(n_classes=n_classes)
    if C == 1.0:
        scale, shift = np.full(4, 1e-4), np.array([1e-3, 1.0, -1e2, 0.0])
        moved = LogisticRegression(C=C * 1e8, tol=1e-9).fit(scale * X + shift, y)
    else:
        scale, shift = np.array([1e-6, 1.0, 1e6, 1e3]), np.array([0.0, 1e6, -1e9, 1e8])
        moved = LogisticRegression(C=C, tol=1e-9).fit(scale * X + shift, y)
    base = LogisticRegression(C=C, tol=1e-9).fit(X, y)
    assert_allclose(moved.predict_proba(scale * X + shift), base.predict_proba(X), atol=1e-5)
    assert_allclose(moved.coef_ * scale, base.coef_, atol=1e-4)


@pytest.mark.parametrize("order", ["sorted", "reversed", "striped"])
def test_the_order_of_the_rows_does_not_matter(order):
    """Sorted labels, or every row that a coarse model would pick of one class."""
    X, y, _ = sample(n=4000, p=3)
    rows = np.argsort(y, kind="stable")
    if order == "reversed":
        rows = rows[::-1]
    if order == "striped":
        stride = 4000 // (40 * 4)
        picked = np.arange(0, 4000, stride)
        ones, zeros = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
        rows = np.empty(4000, dtype=int)
        rows[picked] = ones[: len(picked)]
        rest = np.setdiff1d(np.arange(4000), picked)
        rows[rest] = np.concatenate([ones[len(picked) :], zeros])
    wanted = LogisticRegression(tol=1e-9, solver="newton").fit(X, y)
    model = LogisticRegression(tol=1e-9).fit(X[rows], y[rows])
    assert_allclose(model.coef_, wanted.coef_, atol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_any_number_of_jobs_gives_the_same_bits(n_classes):
    X, y, _ = sample(n=3000, n_classes=n_classes)
    one = LogisticRegression(n_jobs=1, solver="lbfgs").fit(X, y)
    for n_jobs in (2, 3):
        other = LogisticRegression(n_jobs=n_jobs, solver="lbfgs").fit(X, y)
        assert_array_equal(other.coef_, one.coef_)


def test_more_columns_than_rows_and_constant_columns():
    X, y, _ = sample(n=20, p=60)
    model = LogisticRegression(tol=1e-8).fit(X, y)
    assert np.abs(gradient(model, X, y)).max() <= 1e-7
    X, y, _ = sample()
    constant = np.column_stack([X, np.full(150, 0.1)])
    model, without = (LogisticRegression(tol=1e-10).fit(A, y) for A in (constant, X))
    assert_allclose(model.predict_proba(constant), without.predict_proba(X), atol=1e-3)
    free = LogisticRegression(C=np.inf, tol=1e-10).fit(constant, y)
    unpenalised = LogisticRegression(C=np.inf, tol=1e-10).fit(X, y)
    assert_allclose(free.predict_proba(constant), unpenalised.predict_proba(X), atol=1e-7)


def test_rows_without_any_information_do_not_break_the_coarse_start():
    """All picked rows zero: their Hessian vanishes, so no model of a part of the rows is of use."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 4)), rng.integers(2, size=3000)
    X[:: 3000 // (40 * 4)] = 0.0
    for C in (1.0, np.inf):
        model = LogisticRegression(C=C, fit_intercept=False).fit(X, y)
        assert model.fit_report_.status is Status.CONVERGED
    three = LogisticRegression(C=np.inf, fit_intercept=False).fit(
        np.zeros((9, 2)), np.arange(9) % 3
    )
    assert_allclose(three.predict_proba(np.zeros((1, 2))), 1 / 3)


def test_refusals_name_class_parameter_requirement_and_value():
    X, y, _ = sample()
    with pytest.raises(
        ValueError, match=r"LogisticRegression: y must hold at least 2 classes, got 1 class \(1\)"
    ):
        LogisticRegression().fit(X, np.ones(150, dtype=int))
    for bad in (0.0, -1.0, np.nan, "1", None, True):
        with pytest.raises(ValueError, match="LogisticRegression: C must be a number above 0, got"):
            LogisticRegression(C=bad).fit(X, y)
    with pytest.raises(ValueError, match="LogisticRegression: C must be finite, got -inf"):
        LogisticRegression(C=-np.inf).fit(X, y)
    with pytest.raises(ValueError, match="LogisticRegression: tol must be a number above 0, got 0"):
        LogisticRegression(tol=0).fit(X, y)
    with pytest.raises(
        ValueError, match="LogisticRegression: max_iter must be an integer of at le"
    ):
        LogisticRegression(max_iter=-1).fit(X, y)
    with pytest.raises(
        ValueError, match="LogisticRegression: solver must be one of 'auto', 'newton'"
    ):
        LogisticRegression(solver="simplex").fit(X, y)
    with pytest.raises(ValueError, match="Unknown label type"):
        LogisticRegression().fit(X, X[:, 0])
    with pytest.raises(NotFittedError):
        LogisticRegression().predict(X)


def test_failed_fit_leaves_the_old_model():
    X, y, _ = sample(n_classes=3)
    model = LogisticRegression().fit(X, y)
    before = dict(vars(model))
    with pytest.raises(ValueError, match="at least 2 classes"):
        model.fit(X[:, :2], np.zeros(150))
    with pytest.raises(ValueError, match="NaN"):
        model.fit(np.full((10, 2), np.nan), np.arange(10) % 2)
    assert vars(model).keys() == before.keys()
    assert all(vars(model)[k] is before[k] for k in before)


def test_fit_report_is_readable():
    X, y, _ = sample()
    report = LogisticRegression().fit(X, y).fit_report_
    text = repr(report)
    assert text.startswith("LogisticRegression fit: converged in")
    assert "gradient norm" in text
    assert "solver newton: few unknowns" in text
    objective = report.trace["objective"]
    assert objective[0] == pytest.approx(np.log(2))
    assert np.diff(objective).max() <= 0


@pytest.mark.parametrize("solver", ["auto", "saga"])
def test_starts_that_are_no_numbers_are_refused(solver):
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 1, 0, 1]
    model = LogisticRegression(solver=solver, warm_start=True).fit(X, y)
    model.coef_[:] = np.nan
    with pytest.raises(ValueError, match="LogisticRegression: coef_ must be finite where a fit"):
        model.fit(X, y)
