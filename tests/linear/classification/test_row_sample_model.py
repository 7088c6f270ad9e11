"""Cheap models of the objective from a part of the rows."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin import losses, optim, penalties
from margin.linear.classification._row_sample_model import row_sample_model


def problem(n=4000, p=4, n_classes=2, alpha=1e-4, weight=None, intercept=True, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) @ (np.eye(p) + 0.7)
    scores = X @ rng.normal(size=(p, n_classes)) + rng.gumbel(size=(n, n_classes))
    y = scores.argmax(axis=1)
    return optim.standardised(
        optim.LinearProblem(
            X,
            y,
            np.full(n, 1 / n) if weight is None else weight,
            losses.Logistic() if n_classes == 2 else losses.Softmax(),
            penalties.L2(alpha) if alpha else penalties.Zero(),
            intercept=intercept,
            n_outputs=1 if n_classes == 2 else n_classes,
        )
    )


def test_start_is_near_the_minimum_and_the_preconditioner_near_the_inverse_hessian():
    whole = problem()
    sample = row_sample_model(whole)
    best = optim.minimise(whole, optim.Newton())
    zero = np.zeros(whole.dimension)
    gap = whole.expand(sample.x).value - best.objective
    assert gap < 0.1 * (whole.expand(zero).value - best.objective)
    H = whole.expand(best.x, second_order=True).hessian()
    product = np.column_stack([sample.precondition(column) for column in H.T])
    values = np.linalg.eigvals(product).real
    assert values.min() > 0.3
    assert values.max() < 3.0
    assert sample.description == "Newton on 200 rows"


@pytest.mark.parametrize("intercept", [False, True])
def test_whitening_undoes_the_correlation_of_the_features(intercept):
    """The preconditioned Hessian of a softmax is far better conditioned than the Hessian."""
    whole = problem(n_classes=3, intercept=intercept)
    sample = row_sample_model(whole)
    assert sample.x is None
    assert "second moments" in sample.description
    H = whole.expand(np.zeros(whole.dimension), second_order=True).hessian()
    # The minimum is sought where the coefficients of each feature sum to zero.
    plane = np.kron(np.eye(len(H) // 3), np.linalg.qr(np.eye(3) - 1 / 3)[0][:, :2])
    bare = np.linalg.eigvalsh(plane.T @ H @ plane)
    P = np.column_stack([sample.precondition(e) for e in np.eye(len(H))])
    whitened = np.sort(np.linalg.eigvals(plane.T @ P @ H @ plane).real)
    assert whitened[0] > 0
    assert whitened[-1] / whitened[0] < min(3.0, 0.2 * bare[-1] / bare[0])
    rng = np.random.default_rng(0)
    u, v = rng.normal(size=(2, whole.dimension))
    assert_allclose(u @ sample.precondition(v), v @ sample.precondition(u), rtol=1e-10)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_answer_is_that_of_the_plain_solver(n_classes):
    """linear.32: start and preconditioner change the work, not the minimum."""
    whole = problem(n_classes=n_classes)
    sample = row_sample_model(whole)
    helped = optim.minimise(whole, optim.LBFGS(1e-9, precondition=sample.precondition), sample.x)
    plain = optim.minimise(whole, optim.Newton(1e-9))
    assert helped.status.ok
    assert_allclose(helped.x, plain.x, atol=1e-6)
    alone = optim.minimise(whole, optim.LBFGS(1e-9))
    assert helped.n_iter < alone.n_iter


def test_nothing_is_made_where_it_would_not_pay():
    assert row_sample_model(problem(n=500)) is None, "too few rows to save any"
    assert row_sample_model(problem(n=5, p=4, n_classes=3)) is None
    whole = problem()
    stored = replace(whole.problem, X=sparse.csr_array(whole.problem.X))
    assert row_sample_model(optim.standardised(stored)) is None, "sparse rows are not thinned out"


def test_nothing_is_made_of_rows_that_are_no_guide():
    """Rows without weight, of one class, or without features."""
    n, stride = 4000, 4000 // (40 * 5)
    weight = np.full(n, 1 / n)
    weight[::stride] = 0.0
    assert row_sample_model(problem(weight=weight)) is None

    one_sided = problem()
    one_sided.problem.y[::stride] = 1.0
    assert row_sample_model(one_sided) is None

    empty = problem(alpha=0.0, intercept=False)
    empty.problem.X[:: 4000 // (40 * 4)] = 0.0
    assert row_sample_model(empty) is None
