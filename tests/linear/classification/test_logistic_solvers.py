"""Every solver of logistic regression reaches the same minimum (penalties.02, linear.32)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.special import expit
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression as Peer

from margin import optim
from margin.core import FitError, Solution, Status
from margin.linear import LogisticRegression
from margin.linear.classification._logistic_names import KINK_SOLVERS, SOLVERS

SMOOTH_ONLY = [s for s in SOLVERS if s not in KINK_SOLVERS]
TWO_CLASSES = ["irls", "coordinate-descent", "dual-newton"]


def sample(n=150, p=12, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.geomspace(0.3, 3.0, p) * (rng.random((n, p)) < 0.7)
    scores = X @ rng.normal(size=(p, n_classes)) + rng.gumbel(size=(n, n_classes))
    return X, scores.argmax(axis=1), rng.random(n) + 0.1


def violation(X, y, weight, model, C, l1_ratio):
    """Largest violation of an optimality condition of scikit-learn's objective, over the mean."""
    total = weight.sum()
    slope = weight * (model.predict_proba(X)[:, 1] - y) / total
    w, l1, l2 = model.coef_[0], l1_ratio / (C * total), (1 - l1_ratio) / (C * total)
    g = X.T @ slope + l2 * w
    conditions = np.where(w == 0, np.maximum(np.abs(g) - l1, 0), np.abs(g + l1 * np.sign(w)))
    return max(conditions.max(), abs(slope.sum()))


@pytest.mark.parametrize("solver", ["auto", "coordinate-descent", "fista", "saga"])
@pytest.mark.parametrize("l1_ratio", [1.0, 0.5])
@pytest.mark.parametrize("C", [0.1, 1.0])
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_optimality_conditions(solver, l1_ratio, C, storage):
    """penalties.02, penalties.03: whatever the solver, with weights and an intercept."""
    X, y, weight = sample()
    tol = 1e-7 if solver in ("fista", "saga") else 1e-10
    model = LogisticRegression(C=C, l1_ratio=l1_ratio, solver=solver, tol=tol, max_iter=50_000).fit(
        storage(X), y, weight
    )
    assert violation(X, y, weight, model, C, l1_ratio) < 1e-5
    assert model.fit_report_.certificate.holds


def test_agrees_with_scikit_learn():
    X, y, weight = sample()
    ours = LogisticRegression(C=0.5, l1_ratio=0.7, tol=1e-12).fit(X, y, weight)
    peer = Peer(C=0.5, l1_ratio=0.7, solver="saga", tol=1e-10, max_iter=200_000)
    peer.fit(X, y, weight)
    assert_allclose(ours.coef_, peer.coef_, atol=1e-4)
    assert_allclose(ours.intercept_, peer.intercept_, atol=1e-4)
    assert ((ours.coef_ == 0) == (peer.coef_ == 0)).all()


def test_several_classes_by_proximal_gradients():
    X, y, weight = sample(n_classes=3)
    ours = LogisticRegression(C=0.3, l1_ratio=1.0, tol=1e-8).fit(X, y, weight)
    peer = Peer(C=0.3, l1_ratio=1.0, solver="saga", tol=1e-9, max_iter=200_000).fit(X, y, weight)
    assert_allclose(ours.coef_, peer.coef_, atol=2e-3)
    assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-3)
    assert "fista" in ours.fit_report_.notes[0]


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_reaches_the_same_optimum(solver, fit_intercept, storage):
    """linear.32, linear.33, linear.34: Newton's answer, with weights, dense and sparse."""
    X, y, weight = sample()
    tol = 1e-11 if solver in ("coordinate-descent", "dual-newton") else 1e-8
    given = {"C": 0.5, "fit_intercept": fit_intercept}
    model = LogisticRegression(solver=solver, tol=tol, max_iter=50_000, **given)
    model.fit(storage(X), y, weight)
    newton = LogisticRegression(solver="newton", tol=1e-10, **given).fit(X, y, weight)
    assert_allclose(model.coef_, newton.coef_, atol=1e-5)
    assert_allclose(model.intercept_, newton.intercept_, atol=1e-5)
    assert_allclose(model.fit_report_.objective, newton.fit_report_.objective, rtol=1e-10)
    assert model.fit_report_.certificate.holds


@pytest.mark.parametrize("solver", ["bfgs", "nonlinear-cg", "gradient-descent"])
def test_several_classes(solver):
    """linear.35: solvers of a gradient alone do the softmax as well."""
    X, y, weight = sample(n_classes=3)
    model = LogisticRegression(solver=solver, tol=1e-8, max_iter=5000).fit(X, y, weight)
    newton = LogisticRegression(solver="newton", tol=1e-10).fit(X, y, weight)
    assert_allclose(model.coef_, newton.coef_, atol=1e-5)


def test_automatic_choice_for_sparse_tables():
    """linear.32: passes over long columns are saved by a long memory; the answer is the same."""
    rng = np.random.default_rng(0)
    short = sparse.random(600, 400, density=0.02, format="csr", random_state=0)
    long = sparse.random(4000, 310, density=0.04, format="csr", random_state=0)
    for X, word in ((short, "newton-cg: many"), (long, "lbfgs with 30 pairs: many unknowns, long")):
        scores = np.asarray(X @ rng.normal(size=X.shape[1]))
        y = (scores + rng.logistic(size=X.shape[0]) > 0).astype(int)
        model = LogisticRegression(tol=1e-8).fit(X, y)
        assert word in model.fit_report_.notes[0]
        newton = LogisticRegression(tol=1e-8, solver="newton").fit(X, y)
        assert_allclose(model.coef_, newton.coef_, atol=1e-4)


def test_no_feature_enters_below_the_least_strength():
    """penalties.02: from C = 1 / max |X'(y - mean)| down, only the intercept is fitted."""
    X, y, _ = sample()
    least = 1 / np.abs(X.T @ (y - y.mean())).max()
    empty = LogisticRegression(C=0.999 * least, l1_ratio=1.0).fit(X, y)
    assert not empty.coef_.any()
    assert_allclose(expit(empty.intercept_), y.mean(), rtol=1e-6)
    assert LogisticRegression(C=1.01 * least, l1_ratio=1.0).fit(X, y).coef_.any()


@pytest.mark.parametrize(
    ("given", "n_classes", "reason"),
    [
        *[({"l1_ratio": 0.5, "solver": s}, 2, "l1_ratio is above 0") for s in SMOOTH_ONLY],
        *[({"solver": s}, 3, "there are more than two classes") for s in TWO_CLASSES],
        ({"C": np.inf, "solver": "dual-newton"}, 2, "there is no penalty"),
        ({"l1_ratio": 1.0, "solver": "coordinate-descent"}, 3, "classes and l1_ratio is"),
    ],
)
def test_wrong_pairing_is_refused_before_any_work(given, n_classes, reason, monkeypatch):
    X, y, _ = sample(n_classes=n_classes)
    monkeypatch.setattr(optim.LinearProblem, "expand", lambda *_, **__: pytest.fail("worked"))
    with pytest.raises(
        ValueError, match=r"^LogisticRegression: solver must be one of 'auto', "
    ) as e:
        LogisticRegression(**given).fit(X, y)
    assert reason in str(e.value)
    assert repr(given["solver"]) not in str(e.value).split(", got ")[0]


def test_unknown_solver_and_mixture():
    X, y, _ = sample()
    with pytest.raises(ValueError, match="solver must be one of"):
        LogisticRegression(solver="simplex").fit(X, y)
    with pytest.raises(ValueError, match="l1_ratio must be a number between 0 and 1"):
        LogisticRegression(l1_ratio=-0.5).fit(X, y)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("solver", ["auto", "lbfgs", "irls", "saga", "dual-newton"])
def test_features_whose_squares_overflow_are_refused_by_name(solver, storage):
    X, y, _ = sample()
    with pytest.raises(ValueError, match=r"^LogisticRegression: X must be at most 1e\+140 in size"):
        LogisticRegression(solver=solver).fit(storage(1e200 * X), y)


def test_a_failed_search_stays_failed_on_separable_data(monkeypatch):
    """The advice about separable data must not hide that the solver broke."""

    def broken(problem, solver, start=None, **_):
        point = np.array([1.0, 0.0])
        return Solution(point, Status.FAILED, 3, np.nan, {}, message="the objective became nan")

    monkeypatch.setattr(optim, "minimise", broken)
    with pytest.raises(FitError, match="LogisticRegression: the objective became nan"):
        LogisticRegression(C=np.inf).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])


@pytest.mark.parametrize("solver", ["auto", "coordinate-descent"])
def test_separable_data_without_penalty_are_said(solver):
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 0, 1, 1]
    with pytest.warns(ConvergenceWarning, match="separable"):
        model = LogisticRegression(C=np.inf, solver=solver).fit(X, y)
    assert model.fit_report_.status is Status.STALLED


VALUES = [
    (optim.GradientDescent(1e-8, 5000), 1e-5),
    (optim.HeavyBall(1e-8, 20_000), 1e-5),
    (optim.Nesterov(1e-8, 20_000), 1e-5),
    (optim.Rprop(1e-6, 20_000), 1e-5),
    (optim.ProximalGradient(1e-8, 20_000), 1e-5),
    (optim.LBFGS(1e-8, memory=3), 1e-5),
    (optim.IRLS(1e-8), 1e-5),
    (optim.CoordinateDescent(1e-11), 1e-5),
    (optim.DualNewton(1e-11), 1e-5),
    (optim.SAG(1e-8, 5000), 1e-5),
    (optim.SGD(2e-3, 20_000), 0.1),
    (optim.SGD(2e-3, 20_000, batch=16), 0.1),
    (optim.SGD(2e-3, 20_000, batch=16, average=optim.PolyakAverage(0)), 0.1),
    (optim.MomentumSGD(2e-3, 20_000, batch=16), 0.1),
    (optim.MomentumSGD(2e-3, 20_000, kind="heavy-ball", momentum=0.9, batch=16), 0.1),
    (optim.MomentumSGD(2e-3, 20_000, kind="nesterov", momentum=0.9, batch=16), 0.1),
    (optim.Adam(2e-3, 20_000, batch=16), 0.1),
]


@pytest.mark.parametrize(("solver", "atol"), VALUES, ids=lambda v: type(v).__name__)
def test_solvers_as_values_reach_the_same_optimum(solver, atol):
    """linear.32: gradients, momentum, mini-batches, averages, second derivatives, rows, dual."""
    X, y, weight = sample()
    X = X / X.std(axis=0)
    model = LogisticRegression(C=0.5, solver=solver).fit(X, y, weight)
    newton = LogisticRegression(C=0.5, solver="newton", tol=1e-10).fit(X, y, weight)
    assert_allclose(model.coef_, newton.coef_, atol=atol)
    assert_allclose(model.intercept_, newton.intercept_, atol=atol)
    assert model.fit_report_.solver == type(solver).__name__
    assert model.fit_report_.certificate.holds


def test_a_solver_as_a_value_brings_its_own_limits():
    """linear.32: tol and max_iter of the estimator are those of solvers by name."""
    X, y, _ = sample()
    with pytest.warns(ConvergenceWarning, match="stopped after max_iter=3 iterations"):
        model = LogisticRegression(solver=optim.GradientDescent(1e-9, 3)).fit(X, y)
    assert model.n_iter_ == 3
    assert clone(model).get_params()["solver"] == model.solver


def test_solvers_as_values_are_held_against_the_problem():
    """linear.32: kinks, several classes, and what is no solver at all."""
    X, y, _ = sample()
    with pytest.raises(ValueError, match=r"Newton: problem must provide .*gradient"):
        LogisticRegression(l1_ratio=1.0, solver=optim.Newton()).fit(X, y)
    three = sample(n_classes=3)
    with pytest.raises(ValueError, match="SGD: problem must be a LinearProblem of one output"):
        LogisticRegression(solver=optim.SGD()).fit(three[0], three[1])
    for bad in ("sgd", optim.SGD, 3):
        words = r"LogisticRegression: solver must be one of 'auto', .*or a solver of margin\.optim"
        with pytest.raises(ValueError, match=words):
            LogisticRegression(solver=bad).fit(X, y)
    kinks = LogisticRegression(C=0.1, l1_ratio=1.0, solver=optim.CoordinateDescent()).fit(X, y)
    assert (kinks.coef_ == 0).any()


@pytest.mark.parametrize(("solver", "l1_ratio"), [("sag", 0.0), ("saga", 0.0), ("saga", 0.4)])
def test_averaged_gradients_of_several_classes_reach_the_minimum(solver, l1_ratio):
    X, y, _ = sample(n_classes=3)
    model = LogisticRegression(solver=solver, l1_ratio=l1_ratio, tol=1e-8, max_iter=5000)
    best = LogisticRegression(l1_ratio=l1_ratio, tol=1e-8, max_iter=5000).fit(X, y)
    assert_allclose(model.fit(X, y).coef_, best.coef_, atol=1e-5)


@pytest.mark.parametrize(
    "solver", ["lbfgs", "newton", "newton-cg", "irls", "saga", "fista", "auto"]
)
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_warm_start_goes_on_from_the_last_fit(solver, fit_intercept):
    X, y, _ = sample()
    model = LogisticRegression(
        solver=solver, warm_start=True, fit_intercept=fit_intercept, tol=1e-5, max_iter=20_000
    )
    first = model.fit(X + 3.0, y).coef_.copy()
    again = model.fit(X + 3.0, y)
    assert again.n_iter_[0] <= 1
    assert_allclose(again.coef_, first, atol=1e-4)


def test_warm_start_takes_a_sparse_start_and_ignores_one_of_another_shape():
    X, y, _ = sample()
    model = LogisticRegression(warm_start=True, l1_ratio=1.0, C=0.1).fit(X, y)
    dense = model.coef_.copy()
    assert_allclose(model.sparsify().fit(X, y).coef_, dense, atol=1e-6)
    cold = LogisticRegression(l1_ratio=1.0, C=0.1).fit(X[:, :2], y)
    assert_allclose(model.fit(X[:, :2], y).coef_, cold.coef_, atol=1e-6)


@pytest.mark.parametrize("solver", ["auto", "lbfgs", "liblinear", "saga"])
def test_no_iteration_leaves_the_start(solver):
    X, y, _ = sample()
    with pytest.warns(ConvergenceWarning, match="no step was made, for max_iter is 0"):
        model = LogisticRegression(solver=solver, max_iter=0).fit(X, y)
    assert not model.coef_.any()
    assert not model.intercept_.any()
    assert model.n_iter_[0] == 0


def test_dual_reaches_the_minimum_of_the_primal():
    """linear.34 by the parameter of scikit-learn."""
    X, y, _ = sample()
    primal = LogisticRegression(tol=1e-9).fit(X, y)
    dual = LogisticRegression(dual=True, tol=1e-13).fit(X, y)
    assert "dual=True" in dual.fit_report_.notes[0]
    assert_allclose(dual.coef_, primal.coef_, atol=1e-5)
    with pytest.raises(ValueError, match=r"dual must be False for this solver \(Solver lbfgs"):
        LogisticRegression(dual=True, solver="lbfgs").fit(X, y)
    with pytest.raises(ValueError, match="dual must be False unless the penalty is of squares"):
        LogisticRegression(dual=True, l1_ratio=1.0).fit(X, y)
