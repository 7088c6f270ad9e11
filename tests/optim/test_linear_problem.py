"""Penalised empirical risk of a linear model (linear.01)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.special import log_softmax

from margin import losses, optim, penalties
from margin.core import Status
from margin.losses import Logistic, Softmax, Squared
from margin.optim import (
    LBFGS,
    CoordinateDescent,
    LinearProblem,
    Newton,
    ProximalGradient,
    check_gradient,
    minimise,
)
from margin.penalties import L1, L2, Zero

STORAGES = ["dense", "float32", "fortran", "sparse", "sparse32"]
CASES = pytest.mark.parametrize(
    ("n_classes", "storage", "weighted", "intercept"),
    [
        (n_classes, storage, weighted, intercept)
        for n_classes in (2, 3)
        for storage in STORAGES
        for weighted in (False, True)
        for intercept in (False, True)
    ],
)


def dense(problem):
    X = problem.X.toarray() if sparse.issparse(problem.X) else problem.X
    return np.asarray(X, dtype=np.float64)


def brute_force(problem, x):
    """The objective written out row by row."""
    coef, offset = problem.unpack(x)
    z = dense(problem) @ coef + offset
    s = np.ones(len(z)) if problem.weight is None else problem.weight
    if problem.n_outputs == 1:
        losses = np.logaddexp(0, z[:, 0]) - problem.y * z[:, 0]
    else:
        losses = -log_softmax(z, axis=1)[np.arange(len(z)), problem.y]
    return s @ losses + 0.5 * problem.penalty.alpha * np.sum(coef**2)


def numeric_jacobian(problem, x, h=1e-5):
    columns = []
    for j in range(len(x)):
        e = np.zeros_like(x)
        e[j] = h
        ahead, behind = problem.expand(x + e).gradient, problem.expand(x - e).gradient
        columns.append((ahead - behind) / (2 * h))
    return np.column_stack(columns)


@CASES
def test_value_gradient_and_hessian(classification, n_classes, storage, weighted, intercept):
    """linear.01: against the written-out objective and finite differences, every combination."""
    problem = classification(
        n_classes, storage, n=50, p=3, weighted=weighted, intercept=intercept, alpha=0.3
    )
    x = np.random.default_rng(1).normal(size=problem.dimension)
    local = problem.expand(x, second_order=True)
    assert_allclose(local.value, brute_force(problem, x), rtol=1e-12)
    assert check_gradient(problem, x) < 1e-8
    exact = numeric_jacobian(problem, x)
    for v in np.random.default_rng(2).normal(size=(3, problem.dimension)):
        assert_allclose(local.hessian_product(v), exact @ v, rtol=1e-6, atol=1e-7)
    difference = local.hessian() - exact
    if n_classes > 2 and intercept:
        # Without curvature along a shift of all intercepts, it is filled: nothing else changes.
        block = difference[-n_classes:, -n_classes:]
        assert np.ptp(block) < 1e-6
        assert block[0, 0] > 0
        difference[-n_classes:, -n_classes:] = 0
    assert_allclose(difference, 0, atol=1e-7 * np.abs(exact).max() + 1e-8)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_hessian_is_symmetric_and_positive_definite(classification, n_classes, storage):
    problem = classification(n_classes, storage, alpha=0.0)
    x = np.random.default_rng(1).normal(size=problem.dimension)
    H = problem.expand(x, second_order=True).hessian()
    assert_allclose(H, H.T, rtol=1e-12, atol=1e-16)
    assert np.linalg.eigvalsh(H)[0] > 0


def test_newton_from_anywhere_on_a_penalised_softmax(classification):
    """linear.35: also from starts whose class scores do not sum to zero."""
    problem = classification(3, alpha=1e-3)
    reference = minimise(problem, LBFGS(1e-9))
    for seed in range(3):
        x0 = np.random.default_rng(seed).normal(size=problem.dimension)
        solution = minimise(problem, Newton(1e-9), x0)
        assert solution.status.ok
        assert solution.n_iter < 20
        assert_allclose(solution.x[:-3], reference.x[:-3], atol=1e-5)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_storage_does_not_change_the_problem(classification, n_classes):
    """Dense, Fortran-ordered and sparse are one objective; float32 rounds the data only."""
    x = np.random.default_rng(0).normal(size=classification(n_classes).dimension)
    wanted = classification(n_classes).expand(x)
    for storage, tolerance in (("fortran", 1e-13), ("sparse", 1e-13), ("float32", 1e-6)):
        found = classification(n_classes, storage).expand(x)
        assert_allclose(found.value, wanted.value, rtol=tolerance)
        assert_allclose(found.gradient, wanted.gradient, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_any_number_of_threads_gives_the_same_bits(classification, n_classes, storage):
    def expand(n_threads):
        problem = classification(n_classes, storage, n=6000, p=8, n_threads=n_threads)
        x = np.random.default_rng(0).normal(size=problem.dimension)
        return problem.expand(x, second_order=True), x

    one, x = expand(1)
    for n_threads in (2, 3):
        other, _ = expand(n_threads)
        assert other.value == one.value
        assert_array_equal(other.gradient, one.gradient)
        assert_array_equal(other.hessian_product(x), one.hessian_product(x))


def test_weights_repeat_rows_and_zero_removes_them():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.integers(2, size=40).astype(float)
    count = rng.integers(0, 4, size=40)
    rows = np.repeat(np.arange(40), count)
    x = rng.normal(size=4)
    for loss in (Logistic(), Squared()):
        weighted = LinearProblem(X, y, count, loss, L2(0.1)).expand(x)
        repeated = LinearProblem(X[rows], y[rows], None, loss, L2(0.1)).expand(x)
        assert_allclose(weighted.value, repeated.value, rtol=1e-12)
        assert_allclose(weighted.gradient, repeated.gradient, rtol=1e-11)


def test_intercept_is_not_penalised():
    problem = LinearProblem(np.zeros((1, 2)), np.zeros(1), None, Squared(), L2(5.0))
    near, far = problem.expand(np.array([0, 0, 0.0])), problem.expand(np.array([0, 0, 3.0]))
    assert far.value - near.value == 4.5
    assert_array_equal(far.gradient, [0, 0, 3.0])
    assert problem.dimension == 3


def test_unpack_and_predictions():
    """The vector holds the coefficients row by row, then the intercepts."""
    X = np.array([[1.0, 2.0], [0.0, 1.0]])
    problem = LinearProblem(X, np.array([0, 2]), None, Softmax(), Zero(), n_outputs=3)
    coef, offset = problem.unpack(np.arange(9.0))
    assert_array_equal(coef, [[0, 1, 2], [3, 4, 5]])
    assert_array_equal(offset, [6, 7, 8])
    assert_array_equal(problem.predictions(np.arange(9.0)), X @ coef + offset)
    without = LinearProblem(X, np.array([0.0, 1.0]), None, Logistic(), Zero(), intercept=False)
    coef, offset = without.unpack(np.array([1.0, 2.0]))
    assert_array_equal(coef, [[1.0], [2.0]])
    assert_array_equal(offset, [0.0])


def test_awkward_arrays_are_accepted():
    """Integers, strided and read-only input mean what they say."""
    rng = np.random.default_rng(0)
    X, y, s = rng.normal(size=(30, 3)), rng.integers(2, size=30), rng.random(30)
    x = rng.normal(size=4)
    wanted = LinearProblem(X, y.astype(float), s, Logistic(), L2(0.1)).expand(x)
    locked = X.copy()
    locked.flags.writeable = False
    for A in (locked, np.repeat(X, 2, axis=1)[:, ::2], np.asfortranarray(X)):
        strided = LinearProblem(A, np.repeat(y, 2)[::2], np.repeat(s, 2)[::2], Logistic(), L2(0.1))
        assert_allclose(strided.expand(x).gradient, wanted.gradient, rtol=1e-12)
    whole = LinearProblem(np.arange(6).reshape(3, 2), [0, 1, 1], None, Logistic(), Zero())
    assert np.isfinite(whole.expand(np.zeros(3)).value)


def test_malformed_sparse_matrices_are_refused():
    """Row pointers that lead outside the arrays must not reach the compiled loops."""
    X = sparse.csr_array(np.eye(3))
    X.indices = X.indices + 5
    with pytest.raises(ValueError, match="indices"):
        LinearProblem(X, np.zeros(3), None, Logistic(), Zero())


def test_rough_penalties_provide_a_proximal_step_and_no_gradient(classification):
    smooth = classification()
    assert smooth.provides >= {"gradient", "hessian", "hessian_product", "prox"}
    rough = LinearProblem(smooth.X, smooth.y, smooth.weight, smooth.loss, L1(0.01))
    assert "prox" in rough.provides
    assert not rough.provides & {"gradient", "hessian", "hessian_product"}
    x = np.array([0.5, -0.5, 0.001, 0.0, 2.0])
    assert_allclose(rough.prox(x, 1.0), [0.49, -0.49, 0.0, 0.0, 2.0])


def test_least_subgradient_vanishes_at_the_minimum_of_a_rough_problem(classification):
    """linear.01, penalties.02: a large L1 penalty makes all coefficients zero, and proves it."""
    smooth = classification()
    large = LinearProblem(smooth.X, smooth.y, smooth.weight, smooth.loss, L1(10.0))
    x = np.zeros(5)
    x[-1] = minimise(
        LinearProblem(smooth.X[:, :0], smooth.y, smooth.weight, smooth.loss, Zero()), LBFGS(1e-12)
    ).x[0]
    assert np.abs(large.expand(x).gradient).max() < 1e-11
    small = LinearProblem(smooth.X, smooth.y, smooth.weight, smooth.loss, L1(1e-6))
    assert np.abs(small.expand(x).gradient).max() > 1e-3


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("intercept", [False, True])
def test_hessian_of_a_loss_that_is_not_convex_and_a_penalty_that_is_not_separable(
    storage, intercept
):
    """losses.14, penalties.05: curvatures of both signs, and a full matrix of the penalty."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 3)), 3 * rng.normal(size=20)
    omega = np.diag([1.0, 2.0, 3.0]) + 0.4
    problem = LinearProblem(
        storage(X), y, None, losses.Tukey(2.0), penalties.Quadratic(omega), intercept=intercept
    )
    x = rng.normal(size=problem.dimension)
    local = problem.expand(x, second_order=True)
    H = local.hessian()
    for j in range(len(x)):
        h = np.zeros_like(x)
        h[j] = 1e-6
        change = problem.expand(x + h).gradient - problem.expand(x - h).gradient
        assert_allclose(H[:, j], change / 2e-6, atol=1e-5)
        assert_allclose(local.hessian_product(np.eye(len(x))[j]), H[:, j], atol=1e-10)


def test_provides_what_loss_and_penalty_allow():
    """losses.01, losses.03: what solvers are held against."""

    def provides(loss, penalty, **options):
        return LinearProblem(np.ones((4, 1)), np.zeros(4), None, loss, penalty, **options).provides

    smooth = {"gradient", "hessian", "hessian_product"}
    assert provides(losses.ZeroOne(), penalties.L2()) == frozenset()
    assert provides(losses.Hinge(), penalties.L2()) == {"rows", "columns", "subgradient"}
    assert smooth <= provides(losses.Huber(), penalties.L2())
    assert not smooth & provides(losses.Huber(), penalties.L1())
    assert "prox" in provides(losses.Huber(), penalties.L1Ball(1.0))
    assert "subgradient" not in provides(losses.Huber(), penalties.L1Ball(1.0))
    assert "subgradient" not in provides(losses.Tukey(), penalties.L2())
    classes = provides(losses.SymmetricCrossEntropy(), penalties.L2(), n_outputs=2)
    assert "gradient" in classes
    assert "hessian" not in classes
    assert smooth <= provides(losses.Softmax(), penalties.L2(), n_outputs=2)


@pytest.mark.parametrize("stored", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize(
    "loss", [losses.Logistic(), losses.SquaredHinge(), losses.Exponential()], ids=repr
)
def test_labels_of_both_codings_have_one_minimum(loss, stored):
    """losses.01, losses.08: labels -1/+1 once ended far below zero, and said converged."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] + rng.normal(size=60) > 0).astype(float)
    table = stored(X)
    found = [
        minimise(LinearProblem(table, labels, None, loss, penalties.L2(1.0)), LBFGS(1e-9))
        for labels in (y, 2 * y - 1, y.astype(bool), (2 * y - 1).astype(int).tolist())
    ]
    assert all(solution.status is Status.CONVERGED for solution in found)
    for solution in found[1:]:
        assert_allclose(solution.objective, found[0].objective)
        assert_allclose(solution.x, found[0].x, atol=1e-7)
    assert found[0].objective > 0


def test_lists_are_tables():
    problem = LinearProblem([[1.0, 2], [3, 4]], [1, 2], [1, 1], losses.Squared(), penalties.Zero())
    assert problem.expand(np.zeros(3)).value == 2.5


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"y": np.ones((3, 2))}, r"y must be of shape \(4,\) or \(4, k\) .* got \(3, 2\)"),
        ({"y": np.ones((4, 1))}, r"y must be of shape \(4,\) or \(4, k\) with k > 1"),
        ({"y": np.ones((4, 2)), "n_outputs": 3}, "n_outputs must be 1 for Squared"),
        ({"y": np.ones(3)}, r"y must be of shape \(4,\)"),
        ({"X": np.ones(4)}, r"X must be of shape \(n, p\), got \(4,\)"),
        ({"X": [["a"], ["b"], ["c"], ["d"]]}, "X must be a table of numbers"),
        ({"weight": np.ones(5)}, r"weight must be of shape \(4,\), got \(5,\)"),
        (
            {"n_outputs": 2},
            "n_outputs must be 1 for Squared, which takes one score per target, got 2",
        ),
    ],
)
def test_what_does_not_fit_is_refused_by_name(changes, message):
    given = {"X": np.ones((4, 1)), "y": np.ones(4), "weight": None, **changes}
    with pytest.raises(ValueError, match=f"^LinearProblem: {message}"):
        LinearProblem(**given, loss=losses.Squared(), penalty=penalties.Zero())


LOSSES = {
    "squared": losses.Squared(),
    "huber": losses.Huber(0.7),
    "logistic": losses.Logistic(),
    "poisson": losses.Poisson(),
}


def several(kind, n=50, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    Z = X @ rng.normal(size=(3, 4)) + 0.3 * rng.normal(size=(n, 4)) + [0.5, -0.5, 0.0, 1.0]
    Y = {"logistic": (Z > 0).astype(float), "poisson": np.floor(np.exp(0.5 * Z))}.get(kind, Z)
    return X, Y, rng.random(n) + 0.2


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("kind", LOSSES)
def test_several_targets_are_solved_as_if_alone(kind, intercept, storage):
    """linear.01: with a penalty of entries; by Newton's matrix, gradients and proximal steps."""
    X, Y, s = several(kind)
    penalty, table = penalties.L2(0.8), storage(X)
    problem = LinearProblem(table, Y, s, LOSSES[kind], penalty, intercept=intercept)
    assert problem.n_outputs == 4
    alone = [
        minimise(
            LinearProblem(table, y, s, LOSSES[kind], penalty, intercept=intercept), LBFGS(1e-9)
        )
        for y in Y.T
    ]
    for solver in (Newton(1e-8), LBFGS(1e-8), ProximalGradient(1e-6, max_iter=20_000)):
        solution = minimise(problem, solver)
        assert solution.status is Status.CONVERGED
        coef, level = problem.unpack(solution.x)
        assert_allclose(solution.objective, sum(a.objective for a in alone), rtol=1e-9)
        for k, single in enumerate(alone):
            assert_allclose(coef[:, k], single.x[:3], atol=1e-5)
            assert_allclose(level[k], single.x[3] if intercept else 0.0, atol=1e-5)


@pytest.mark.parametrize("kind", LOSSES)
def test_derivatives_of_several_targets(kind):
    """linear.01, optim.24: finite differences of the value, and both forms of the Hessian."""
    X, Y, s = several(kind)
    problem = LinearProblem(X.astype(np.float32), Y, s, LOSSES[kind], penalties.L2(0.3))
    x = 0.3 * np.random.default_rng(1).normal(size=problem.dimension)
    local = problem.expand(x, second_order=True)
    pairs = zip(problem.predictions(x).T, Y.T, strict=True)
    wanted = sum(float(s @ LOSSES[kind].value(z, y)) for z, y in pairs)
    assert_allclose(local.value, wanted + 0.15 * np.sum(problem.unpack(x)[0] ** 2))
    h = 1e-6
    steps = np.eye(len(x)) * h
    slope = [(problem.expand(x + e).value - problem.expand(x - e).value) / (2 * h) for e in steps]
    assert_allclose(local.gradient, slope, rtol=1e-4, atol=1e-5)
    ends = [(problem.expand(x + e).gradient, problem.expand(x - e).gradient) for e in steps]
    bends = [(up - down) / (2 * h) for up, down in ends]
    assert_allclose(local.hessian(), bends, rtol=1e-4, atol=1e-4)
    v = np.random.default_rng(2).normal(size=len(x))
    assert_allclose(local.hessian_product(v), local.hessian() @ v, rtol=1e-9)


def test_every_target_has_zeros_of_its_own():
    """linear.01, penalties.02: a penalty of entries does not tie the targets together."""
    X, Y, s = several("squared")
    X = np.column_stack([X, np.random.default_rng(3).normal(size=(50, 3))])
    problem = LinearProblem(X, Y, s, losses.Squared(), penalties.L1(4.0))
    coef, _ = problem.unpack(minimise(problem, ProximalGradient(1e-8, max_iter=20_000)).x)
    for k, y in enumerate(Y.T):
        single = LinearProblem(X, y, s, losses.Squared(), penalties.L1(4.0))
        alone = minimise(single, ProximalGradient(1e-8, max_iter=20_000)).x
        assert_allclose(coef[:, k], alone[:6], atol=1e-6)
    assert (coef == 0).any()


def test_solvers_of_one_output_say_so():
    X, Y, s = several("squared")
    problem = LinearProblem(X, Y, s, losses.Squared(), penalties.L1(0.1))
    with pytest.raises(ValueError, match="CoordinateDescent"):
        minimise(problem, CoordinateDescent())


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_columns_are_not_copied_for_squares(dtype):
    """A table in the order of its columns stays as it is, and says the same."""
    rng = np.random.default_rng(0)
    X, y = np.asfortranarray(rng.normal(size=(30, 4)), dtype=dtype), rng.normal(size=30)
    kept = LinearProblem(X, y, None, losses.Squared(), penalties.L2(0.1))
    rows = LinearProblem(np.ascontiguousarray(X), y, None, losses.Squared(), penalties.L2(0.1))
    assert np.shares_memory(kept.X, X)
    x = rng.normal(size=5)
    one, two = kept.expand(x, second_order=True), rows.expand(x, second_order=True)
    assert one.value == pytest.approx(two.value, rel=1e-6 if dtype == np.float32 else 1e-13)
    np.testing.assert_allclose(one.gradient, two.gradient, rtol=1e-5, atol=1e-12)
    np.testing.assert_allclose(one.hessian(), two.hessian(), rtol=1e-12)


GAP = np.array([1.0, np.nan])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"penalty": "l2"}, "penalty must be an object of margin.penalties, got 'l2'"),
        ({"penalty": None}, "penalty must be an object of margin.penalties, got None"),
        ({"loss": "squared"}, "loss must be an object of margin.losses, got 'squared'"),
        ({"weight": np.array([1.0, -2.0])}, "weight must be at least 0, got -2.0"),
        ({"weight": GAP}, "weight must be finite, got nan"),
        ({"y": GAP}, "y must be finite, got nan"),
        ({"X": GAP[:, None]}, "X must be finite, got nan"),
        ({"X": sparse.csr_matrix([[1.0], [np.inf]])}, "X must be finite, got inf"),
    ],
)
def test_parts_that_no_solver_can_use(changed, message):
    parts = {
        "X": np.ones((2, 1)),
        "y": np.ones(2),
        "weight": None,
        "loss": losses.Squared(),
        "penalty": penalties.Zero(),
    }
    with pytest.raises(ValueError, match=f"LinearProblem: {message}"):
        optim.LinearProblem(**{**parts, **changed})


@pytest.mark.parametrize("name", ["CoordinateDescent", "SGD", "SAGA", "IRLS"])
def test_several_targets_are_refused_with_those_who_take_them(name):
    """linear.01"""
    Y = np.arange(8.0).reshape(4, 2)
    problem = optim.LinearProblem(np.eye(4), Y, None, losses.Squared(), penalties.L2(1.0))
    words = f"{name}: problem must be a LinearProblem of one output .*take several.* got '2 targets"
    with pytest.raises(ValueError, match=words):
        optim.minimise(problem, getattr(optim, name)())
    for other in ("LBFGS", "NewtonCG", "ProximalGradient"):
        assert optim.minimise(problem, getattr(optim, other)()).status is Status.CONVERGED
