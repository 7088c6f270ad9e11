import numpy as np
import pytest
from scipy import sparse

from margin import optim
from margin.core import Status, stored_rows
from margin.linear.online._perceptron_fit import (
    Corrections,
    Examples,
    batch_epoch,
    learn,
    stochastic_epoch,
)

X = np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, 1.0], [2.0, 1.0]])
CODE = np.array([1, 0, 0, 1])


def examples(X=X, code=CODE, weight=None):
    return Examples(X, np.asarray(code, dtype=np.int64), stored_rows(code, weight), True)


def test_batch_step_by_hand():
    """linear.28: the first step adds eta times the signed sum of all rows, all wrong at zero."""
    state = Corrections.none(4, 1, 3, average=False)
    assert batch_epoch(examples(), state, optim.Constant(0.5)) == 4
    np.testing.assert_allclose(state.w, [[0.5 * (1 + 0 + 1 + 2), 0.5 * (0 - 2 - 1 + 1), 0.0]])
    assert batch_epoch(examples(), state, optim.Constant(0.5)) == 0


def test_stochastic_steps_by_hand():
    """linear.29: each row that is not on its own side is added with its sign, the k-th by 1/k."""
    state = Corrections.none(4, 1, 3, average=True)
    made = stochastic_epoch(examples(), state, optim.InverseTime(1.0), 0, shuffle=False)
    w, k, seen = np.zeros(3), 0, []
    for x, code in zip(np.column_stack([X, np.ones(4)]), CODE, strict=True):
        sign = 1 if code else -1
        if sign * (w @ x) <= 0:
            w = w + sign * x * float(optim.InverseTime(1.0).rate(k))
            k += 1
        seen.append(w)
    assert made == k == state.mistakes.sum()
    np.testing.assert_allclose(state.w[0], w)
    np.testing.assert_allclose(state.weights[0], np.mean(seen, axis=0))
    np.testing.assert_allclose(state.dual_weights.T @ X, state.weights[:, :-1])


def test_ties_between_rivals_are_shared():
    """linear.31: at zero both rivals take off half of the row each, in both rules."""
    code = np.array([0, 1, 2, 0])
    one = np.array([[1.0, 3.0]])
    for batch in (True, False):
        state = Corrections.none(1, 3, 3, average=False)
        part = examples(one, code[:1])
        if batch:
            batch_epoch(part, state, optim.Constant(1.0))
        else:
            stochastic_epoch(part, state, optim.Constant(1.0), 0, shuffle=False)
        np.testing.assert_allclose(state.w, np.outer([1, -0.5, -0.5], [1, 3, 1]))
    dense, thin = (Corrections.none(4, 3, 3, average=False) for _ in range(2))
    for _ in range(3):
        stochastic_epoch(examples(X, code), dense, optim.Constant(1.0), 5, shuffle=True)
        stochastic_epoch(
            examples(sparse.csr_array(X), code), thin, optim.Constant(1.0), 5, shuffle=True
        )
    np.testing.assert_allclose(dense.w, thin.w)


def test_learning_ends_where_nothing_is_wrong_or_nothing_gets_better():
    """linear.29: an epoch without corrections ends the search; otherwise patience does."""
    rules = {"max_iter": 50, "patience": 3, "seed": 0, "shuffle": True}
    for batch in (True, False):
        state = Corrections.none(4, 1, 3, average=False)
        done = learn(examples(), state, optim.Constant(1.0), batch=batch, tol=None, **rules)
        assert done.status is Status.CONVERGED
        assert done.objective == 0.0
        assert not examples().errors(done.x).any()
        clash = examples(np.array([[1.0], [1.0]]), np.array([0, 1]))
        state = Corrections.none(2, 1, 2, average=False)
        stuck = learn(clash, state, optim.Constant(1.0), batch=batch, tol=1e-3, **rules)
        assert stuck.n_iter < 10
        assert stuck.objective >= 0.5
        state = Corrections.none(2, 1, 2, average=False)
        endless = learn(clash, state, optim.Constant(1.0), batch=batch, tol=None, **rules)
        assert endless.status is Status.MAX_ITER
        assert endless.n_iter == 50


def test_error_share_is_weighted():
    part = examples(weight=np.array([1.0, 2.0, 3.0, 4.0]))
    assert part.error_share(np.array([[1.0, 0.0, 0.0]])) == pytest.approx(0.2)
