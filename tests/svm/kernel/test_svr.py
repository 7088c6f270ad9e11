"""Support vector regression (svm.15)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import svm as peer

from margin.core import FitError
from margin.svm import SVR

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, size=(150, 2))
Y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.2 * RNG.normal(size=150)


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly"])
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_same_machine_as_scikit_learn(kernel, C):
    """svm.15: linear and kernel."""
    theirs = peer.SVR(kernel=kernel, C=C, tol=1e-7).fit(X, Y)
    ours = SVR(kernel=kernel, C=C, tol=1e-7).fit(X, Y)
    assert_array_equal(ours.support_, theirs.support_)
    assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-5)
    assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-3 * C)


def test_groups_of_the_tube():
    """svm.15: inside no multiplier, on the border unbound, outside bound; they sum to zero."""
    model = SVR(C=2.0, epsilon=0.15, tol=1e-9).fit(X, Y)
    off = np.abs(Y - model.predict(X))
    report = model.support_report_
    inside = np.setdiff1d(np.arange(150), report.support)
    assert (off[inside] <= 0.15 + 1e-6).all()
    assert_allclose(off[report.unbound], 0.15, atol=1e-6)
    assert (off[report.bound] >= 0.15 - 1e-6).all()
    assert set(report.margin_errors) <= set(report.bound)
    assert_allclose(model.dual_coef_.sum(), 0, atol=1e-10)
    signs = np.sign(Y - model.predict(X))[model.support_]
    assert_array_equal(np.sign(model.dual_coef_[0]), signs)


def test_a_tube_wider_than_the_data_is_a_constant():
    model = SVR(epsilon=9.0).fit(X, Y)
    assert len(model.support_) == 0
    assert_allclose(model.predict(X), np.full(150, (Y.min() + Y.max()) / 2))


def test_no_error_allowed():
    model = SVR(C=np.inf, epsilon=0.3, gamma=2.0, tol=1e-6).fit(X, Y)
    assert (np.abs(Y - model.predict(X)) <= 0.3 + 1e-4).all()
    with pytest.raises(FitError, match="SVR: C=inf asks for data that can be fitted"):
        SVR(C=np.inf, epsilon=0.0, kernel="linear").fit([[0.0], [0.0]], [0.0, 1.0])


def test_general_solver_and_weights():
    weight = RNG.integers(0, 3, size=150).astype(float)
    rows = np.repeat(np.arange(150), weight.astype(int))
    one = SVR(tol=1e-8).fit(X, Y, weight)
    two = SVR(tol=1e-8).fit(X[rows], Y[rows])
    program = SVR(solver="qp").fit(X[rows], Y[rows])
    assert_allclose(one.predict(X), two.predict(X), atol=1e-6)
    assert_allclose(program.predict(X), two.predict(X), atol=1e-3)


def test_objective_is_the_negative_dual_and_the_gap_closes():
    model = SVR(tol=1e-8).fit(X, Y)
    gap = float(model.fit_report_.notes[0].split()[2])
    assert abs(gap) < 1e-6


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"epsilon": -0.1}, "epsilon must be"),
        ({"C": 0.0}, "C must be"),
        ({"tol": 0}, "tol must be"),
    ],
)
def test_bad_parameters(params, text):
    with pytest.raises(ValueError, match=f"SVR: {text}"):
        SVR(**params).fit(X, Y)


def test_single_row_and_objects():
    assert_allclose(SVR().fit([[1.0]], [3.0]).predict([[5.0]]), [3.0])

    def lengths(A, B):
        return np.array([[float(len(a) * len(b)) for b in B] for a in A])

    model = SVR(kernel=lengths, C=10.0, epsilon=0.0).fit(["a", "bb", "cccc"], [1.0, 2.0, 4.0])
    assert_allclose(model.predict(["ddd"]), [3.0], atol=1e-6)
