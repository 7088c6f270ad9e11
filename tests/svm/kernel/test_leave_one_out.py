"""Leave-one-out values in closed form against leaving rows out."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.datasets import make_blobs, make_classification

from margin import kernels
from margin.optim import GramMatrix
from margin.svm import SVC
from margin.svm.kernel._class_duals import SoftMargin
from margin.svm.kernel._dual_machine import DualSettings
from margin.svm.kernel._leave_one_out import leave_one_out

X, Y = make_classification(60, 3, n_redundant=0, flip_y=0.2, random_state=0)
SIGN = np.where(Y == 1, 1.0, -1.0)
K = kernels.RBF.from_gamma(0.5)(X)


def machine(rows=None):
    rows = np.arange(60) if rows is None else rows
    gram = GramMatrix(K[np.ix_(rows, rows)])
    settings = DualSettings(tol=1e-9)
    return SoftMargin(1.0).train(gram, SIGN[rows], np.ones(len(rows)), settings)


def test_values_of_brute_force():
    """svm.04: exact without a multiplier, near elsewhere; the error count is that of retraining."""
    full = machine()
    quick = leave_one_out(GramMatrix(K), full, np.random.default_rng(0))
    slow = np.empty(60)
    for i in range(60):
        rest = np.delete(np.arange(60), i)
        other = machine(rest)
        slow[i] = other.coef @ K[rest, i] + other.bias
    idle = full.coef == 0
    assert_allclose(quick[idle], slow[idle], atol=1e-6)
    assert np.corrcoef(quick, slow)[0, 1] > 0.98
    assert np.median(np.abs(quick - slow)) < 0.05
    assert np.mean(np.sign(quick) != np.sign(slow)) <= 0.05
    errors = np.mean(SIGN * quick < 0)
    assert errors <= np.mean(full.coef != 0)


def test_span_of_a_free_row_is_exact_while_kinds_stay():
    """The linear system of the others, solved anew, gives the same value."""
    full = machine()
    quick = leave_one_out(GramMatrix(K), full, np.random.default_rng(0))
    size = np.abs(full.coef)
    free = np.flatnonzero((size > 0) & (size < 1))
    i, others = free[0], free[1:]
    fixed = np.flatnonzero(size == 1)
    system = np.zeros((len(others) + 1, len(others) + 1))
    system[:-1, :-1] = K[np.ix_(others, others)]
    system[-1, :-1] = system[:-1, -1] = 1
    right = np.append(
        SIGN[others] - K[np.ix_(others, fixed)] @ full.coef[fixed], -full.coef[fixed].sum()
    )
    solved = np.linalg.solve(system, right)
    value = K[i, others] @ solved[:-1] + K[i, fixed] @ full.coef[fixed] + solved[-1]
    assert_allclose(quick[i], value, rtol=1e-8)


def test_no_free_rows():
    tiny = GramMatrix(np.eye(2))
    both = SoftMargin(0.1).train(tiny, np.array([1.0, -1.0]), np.ones(2), DualSettings())
    values = leave_one_out(tiny, both, np.random.default_rng(0))
    assert_allclose(values, both.decision - both.coef)


def test_dependent_support_vectors_do_not_hang_on_rounding():
    """Three unbound support vectors in the plane: a singular matrix, yet spans of their own."""
    rows, y = make_blobs(n_samples=80, centers=10, random_state=0)
    dense = SVC(kernel="linear", probability="sigmoid").fit(rows, y)
    thin = SVC(kernel="linear", probability="sigmoid").fit(csr_array(rows), y)
    assert_allclose(dense.predict_proba(rows), thin.predict_proba(rows), atol=1e-6)
