"""Support vector classification: brute force, limits, invariants, scikit-learn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn import svm as peer
from sklearn.datasets import load_iris, make_classification
from sklearn.metrics import log_loss

from margin import kernels
from margin.core import FitError, Status
from margin.svm import SVC

IRIS, SPECIES = load_iris(return_X_y=True)
X, Y = make_classification(200, 5, flip_y=0.15, random_state=0)


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly"])
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_same_machine_as_scikit_learn(kernel, C):
    """svm.08, svm.13: multipliers, support, bias (svm.05) and decisions."""
    theirs = peer.SVC(kernel=kernel, C=C, tol=1e-8).fit(X, Y)
    ours = SVC(kernel=kernel, C=C, tol=1e-8).fit(X, Y)
    assert_array_equal(ours.support_, theirs.support_)
    assert_array_equal(ours.n_support_, theirs.n_support_)
    assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-4 * C)
    assert_allclose(ours.intercept_, theirs.intercept_, atol=2e-5)
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
    assert_allclose(ours.support_vectors_, theirs.support_vectors_)


@pytest.mark.parametrize("shape", ["ovr", "ovo"])
def test_many_classes_in_scikit_learns_arrangement(shape):
    theirs = peer.SVC(tol=1e-8, decision_function_shape=shape).fit(IRIS, SPECIES)
    ours = SVC(tol=1e-8, decision_function_shape=shape).fit(IRIS, SPECIES)
    assert_array_equal(ours.support_, theirs.support_)
    assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-5)
    assert_allclose(ours.decision_function(IRIS), theirs.decision_function(IRIS), atol=1e-5)
    assert_array_equal(ours.predict(IRIS), theirs.predict(IRIS))
    linear = SVC(kernel="linear", tol=1e-8).fit(IRIS, SPECIES)
    reference = peer.SVC(kernel="linear", tol=1e-8).fit(IRIS, SPECIES)
    assert_allclose(linear.coef_, reference.coef_, atol=1e-4)


def test_golden_hard_margin():
    """svm.02: alpha (1/4, 1/4), w (.5, .5), primal = dual = 1/4; w = sum a y x."""
    model = SVC(kernel="linear", C=np.inf).fit([[1, 1], [-1, -1]], [1, -1])
    assert_allclose(model.dual_coef_, [[-0.25, 0.25]])
    assert_allclose(model.coef_, [[0.5, 0.5]])
    assert_allclose(model.intercept_, [0], atol=1e-12)
    assert_allclose(model.fit_report_.objective, -0.25)
    assert "gap" in model.fit_report_.notes[0]


def test_hard_margin_is_a_limit_and_refuses_overlap():
    """svm.02, svm.03."""
    clean, side = IRIS[:100], SPECIES[:100]
    hard, soft = SVC(kernel="linear", C=np.inf).fit(clean, side), SVC(kernel="linear", C=1e6)
    assert_allclose(hard.coef_, soft.fit(clean, side).coef_, rtol=1e-4)
    assert (np.abs(hard.decision_function(clean)) > 1 - 1e-3).all()
    with pytest.raises(FitError, match="SVC: C=inf asks for data that can be fitted without any"):
        SVC(kernel="linear", C=np.inf).fit(X, Y)
    with pytest.raises(FitError, match="use a finite C"):
        SVC(C=np.inf).fit([[0.0], [0.0], [1.0]], [0, 1, 1])


def test_optimality_by_groups():
    """svm.03, svm.04: alpha = 0 beyond the margin, unbound on it, bound within it."""
    model = SVC(tol=1e-9, C=0.7).fit(X, Y)
    margin = np.where(Y == 1, 1, -1) * model.decision_function(X)
    report = model.support_report_
    rest = np.setdiff1d(np.arange(len(X)), report.support)
    assert_allclose(margin[report.unbound], 1, atol=1e-6)
    assert (margin[report.bound] <= 1 + 1e-6).all()
    assert (margin[rest] >= 1 - 1e-6).all()
    assert set(report.margin_errors) <= set(report.bound)
    assert_array_equal(report.training_errors, np.flatnonzero(margin < 0))
    assert_array_equal(np.sort(model.support_), report.support)


def test_rows_that_carry_nothing_can_be_left_out():
    """svm.04."""
    model = SVC(tol=1e-9, gamma=0.3).fit(X, Y)
    kept = np.sort(model.support_)
    again = SVC(tol=1e-9, gamma=0.3).fit(X[kept], Y[kept])
    assert_allclose(again.decision_function(X), model.decision_function(X), atol=1e-6)


def test_slack_and_margin_shrink_with_price():
    """svm.03: total slack and margin 2/|w| do not grow with C."""
    slack, width = [], []
    for C in (0.01, 0.1, 1.0, 10.0):
        model = SVC(kernel="linear", C=C, tol=1e-8).fit(X, Y)
        margin = np.where(Y == 1, 1, -1) * model.decision_function(X)
        slack.append(np.maximum(0, 1 - margin).sum())
        width.append(2 / np.linalg.norm(model.coef_))
    assert np.diff(slack).max() <= 1e-6
    assert np.diff(width).max() <= 1e-6


def test_polynomial_kernel_is_the_linear_machine_on_its_features():
    """svm.13: the kernel replaces the feature map, and the bias is there."""
    x, z = X[:80, 0], X[:80, 1]
    r = np.sqrt(2)
    mapped = np.column_stack([x * x, z * z, r * x * z, r * x, r * z, np.ones(80)])
    kernel = SVC(kernel="poly", degree=2, gamma=1.0, coef0=1.0, tol=1e-8).fit(X[:80, :2], Y[:80])
    linear = SVC(kernel="linear", tol=1e-8).fit(mapped, Y[:80])
    assert_allclose(
        kernel.decision_function(X[:80, :2]), linear.decision_function(mapped), atol=1e-5
    )


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_general_solver_gives_the_same_machine(kernel):
    """svm.07."""
    one = SVC(kernel=kernel, tol=1e-8).fit(X[:60], Y[:60])
    two = SVC(kernel=kernel, solver="qp").fit(X[:60], Y[:60])
    assert_allclose(two.decision_function(X), one.decision_function(X), atol=1e-4)
    assert two.fit_report_.status is Status.CONVERGED


def test_every_way_to_give_the_same_kernel():
    base = SVC(kernel="rbf", gamma=0.5).fit(X, Y)
    kernel = kernels.RBF.from_gamma(0.5)
    K = kernel(X)
    given = {
        "object": SVC(kernel=kernel).fit(X, Y).decision_function(X),
        "function": SVC(kernel=lambda A, B: kernel(A, B)).fit(X, Y).decision_function(X),
        "matrix": SVC(kernel="precomputed").fit(K, Y).decision_function(K),
        "sparse": SVC(gamma=0.5).fit(sparse.csr_array(X), Y).decision_function(X),
    }
    for name, values in given.items():
        assert_allclose(values, base.decision_function(X), atol=1e-6, err_msg=name)
    with pytest.raises(AttributeError, match="coef_ is there for kernel='linear' only"):
        _ = base.coef_


def test_lists_of_objects():
    words = ["abab", "abba", "baba", "xyxy", "yxyx", "xxyy", ""]

    def shared(A, B):
        return np.array([[len(set(a) & set(b)) + 1.0 for b in B] for a in A])

    model = SVC(kernel=shared).fit(words, [0, 0, 0, 1, 1, 1, 0])
    assert_array_equal(model.predict(["ab", "xy"]), [0, 1])
    assert isinstance(model.support_vectors_, list)
    with pytest.raises(ValueError, match="a list of objects, got 'one str'"):
        model.predict("ab")


@pytest.mark.parametrize("strategy", ["ovo", "ovr", "dag"])
@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_strategies_and_probabilities(strategy, method):
    model = SVC(multi_class=strategy, probability=method).fit(IRIS, SPECIES)
    assert model.score(IRIS, SPECIES) > 0.95
    p = model.predict_proba(IRIS)
    assert_allclose(p.sum(axis=1), 1)
    assert p.min() >= 0
    assert log_loss(SPECIES, p) < 0.25
    n_machines = 3
    assert len(model.intercept_) == n_machines
    assert len(model.support_report_) == n_machines


def test_weights_are_prices_of_rows():
    weight = np.random.default_rng(0).integers(0, 3, size=len(X)).astype(float)
    repeated = np.repeat(np.arange(len(X)), weight.astype(int))
    one = SVC(tol=1e-8).fit(X, Y, weight)
    two = SVC(tol=1e-8).fit(X[repeated], Y[repeated])
    assert_allclose(one.decision_function(X), two.decision_function(X), atol=1e-6)
    theirs = peer.SVC(tol=1e-8, gamma=0.2, class_weight={0: 3.0}).fit(X, Y)
    ours = SVC(tol=1e-8, gamma=0.2, class_weight={0: 3.0}).fit(X, Y)
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)


def test_large_enough_for_working_sets_and_single_precision():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(1500, 4))
    b = (A[:, 0] + np.sin(2 * A[:, 1]) + 0.3 * rng.normal(size=1500) > 0).astype(int)
    theirs = peer.SVC().fit(A, b)
    for cache in (200, 1):
        ours = SVC(cache_size=cache, verbose=False).fit(A, b)
        assert_allclose(ours.decision_function(A), theirs.decision_function(A), atol=5e-3)
        assert ours.fit_report_.certificate.holds
        assert -ours.fit_report_.objective >= dual_value(theirs, A, b) - 1e-3
    exact = SVC(tol=1e-6, n_jobs=2).fit(A, b)
    assert exact.fit_report_.certificate.value <= 1e-6


def dual_value(model, A, b):
    beta = np.zeros(len(A))
    beta[model.support_] = model.dual_coef_[0]
    K = kernels.RBF.from_gamma(model._gamma)(A)
    return np.abs(beta).sum() - 0.5 * beta @ K @ beta


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"C": 0}, "C must be a number above 0"),
        ({"C": -1.0}, "C must be a number above 0"),
        ({"C": np.nan}, "C must be a number above 0"),
        ({"kernel": "rbff"}, "kernel must be a Kernel, a function or one of"),
        ({"gamma": 0.0}, "gamma must be a number above 0, 'scale' or 'auto'"),
        ({"gamma": "sale"}, "gamma must be"),
        ({"degree": -1}, "degree must be an integer of at least 1"),
        ({"coef0": np.inf}, "coef0 must be a finite number"),
        ({"max_iter": 0}, "max_iter must be an integer of at least 1, or -1"),
        ({"cache_size": 0}, "cache_size must be a number above 0"),
        ({"multi_class": "all"}, "multi_class must be one of"),
        ({"probability": "yes"}, "probability must be one of"),
        ({"class_weight": {0: -1.0}}, "class_weight must be at least 0"),
    ],
)
def test_bad_parameters(params, text):
    with pytest.raises(ValueError, match=f"SVC: {text}"):
        SVC(**params).fit(X, Y)


def test_bad_data():
    with pytest.raises(ValueError, match="SVC: y must hold at least 2 classes"):
        SVC().fit(X, np.zeros(len(X)))
    with pytest.raises(ValueError, match="y must hold at least 2 classes"):
        SVC().fit(X[:1], Y[:1])
    with pytest.raises(ValueError, match="must be a square matrix"):
        SVC(kernel="precomputed").fit(X, Y)
    with pytest.raises(ValueError, match="symmetric, got 'a difference of"):
        SVC(kernel="precomputed").fit(np.triu(np.ones((4, 4))), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="positive weights belong to the same class"):
        SVC().fit(X, Y, sample_weight=(Y == 1).astype(float))
    with pytest.warns(
        UserWarning, match=r"SVC: the kernel matrix is not positive semi-definite.*-1"
    ):
        SVC(kernel="precomputed").fit(np.array([[0.0, 1.0], [1.0, 0.0]]), [0, 1])
    constant = SVC().fit(np.ones((6, 2)), [0, 1, 0, 1, 0, 1])
    assert np.isfinite(constant.decision_function(np.ones((1, 2)))).all()
    duplicate = SVC().fit(np.repeat(X[:10], 3, axis=0), np.repeat(Y[:10], 3))
    assert duplicate.fit_report_.status is Status.CONVERGED
