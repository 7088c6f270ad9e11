"""The pocket against a replay of every step (linear.30)."""

import numpy as np
import pytest
from scipy import sparse

from margin import optim
from margin.core import distinct_rows, stored_rows
from margin.linear.online._corrections import Corrections, Examples, Rule
from margin.linear.online._pocket import Pocket, pocket_epoch


def noisy(n, n_classes, seed=0, weighted=False):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 3)), 2)
    code = np.digitize(X[:, 0] + rng.normal(size=n), np.linspace(-0.7, 0.7, n_classes - 1))
    weight = rng.uniform(0.5, 2.0, size=n) if weighted else None
    return Examples(X, code.astype(np.int64), distinct_rows(X, code, weight, 1), True)


def replayed(examples, state, order):
    """Share of errors after every correction of an epoch, row by row."""
    w, shares = state.w.copy(), []
    weight = examples.weight
    for i in order:
        x = np.append(examples.X[i], 1.0)
        own, scores = examples.code[i], w @ x
        amount = 1.0 if weight is None else weight[i]
        if len(w) == 1:
            sign = 2 * own - 1
            if sign * scores[0] > 0:
                continue
            w[0] += sign * amount * x
        else:
            rivals = np.delete(np.arange(len(w)), own)
            best = scores[rivals].max()
            if scores[own] > best:
                continue
            tied = rivals[scores[rivals] == best]
            w[own] += amount * x
            w[tied] -= amount * x / len(tied)
        shares.append(examples.error_share(w))
    return shares


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_keeps_the_best_of_all_steps(n_classes, weighted, storage):
    examples = noisy(60, n_classes, weighted=weighted)
    rule = Rule(optim.Constant(1.0), shuffle=True, seed=3)
    outputs = 1 if n_classes == 2 else n_classes
    state = Corrections.none(60, outputs, 4, average=False)
    pocket, shares = Pocket.empty(state), []
    thin = Examples(sparse.csr_array(examples.X), examples.code, examples.table, True)
    used = thin if storage == "sparse" else examples
    for _ in range(6):
        order = rule.order(examples.table.visits, state.n_epochs)
        shares += replayed(examples, state, order)
        state, pocket, share = pocket_epoch(used, state, rule, pocket, used)
        assert share == pytest.approx(examples.error_share(state.w), abs=1e-12)
        assert pocket.share == pytest.approx(min(shares), abs=1e-12)
        assert examples.error_share(pocket.w) == pytest.approx(pocket.share)
        np.testing.assert_allclose(pocket.dual.T @ examples.X, pocket.w[:, :-1], atol=1e-9)
        assert pocket.mistakes.sum() <= state.n_corrections
    assert min(shares) < examples.error_share(state.w), "the last step is not the best here"


def test_many_rows_are_judged_at_ends_of_epochs_and_after_record_runs():
    examples = noisy(400, 2, seed=2)
    rule = Rule(optim.Constant(1.0), shuffle=True)
    state = Corrections.none(400, 1, 4, average=False)
    pocket, ends, steps = Pocket.empty(state), [], []
    for _ in range(8):
        order = rule.order(examples.table.visits, state.n_epochs)
        steps += replayed(examples, state, order)
        state, pocket, _ = pocket_epoch(examples, state, rule, pocket, examples)
        ends.append(examples.error_share(state.w))
        assert min(steps) <= pocket.share <= min(ends)
    assert pocket.share < min(ends), "a run was longer where fewer rows are wrong"
    assert 8 < pocket.looks < len(steps) / 10, "few steps are worth a pass over all rows"


def test_a_run_that_a_coin_would_have_is_not_worth_a_look():
    rng = np.random.default_rng(0)
    X, code = rng.normal(size=(300, 2)), rng.integers(0, 2, size=300)
    examples = Examples(X, code, stored_rows(code, None), True)
    rule = Rule(optim.Constant(1.0), shuffle=True)
    state = Corrections.none(300, 1, 3, average=False)
    state, pocket, _ = pocket_epoch(examples, state, rule, Pocket.empty(state), examples)
    assert 2 < pocket.longest_run <= np.log2(300) + 3
    assert pocket.looks <= 3, "the end of the epoch, and hardly any run on the way"


def test_an_empty_pocket_holds_the_start():
    start = Corrections.none(4, 1, 3, average=False)
    pocket = Pocket.empty(start)
    assert pocket.share == np.inf
    np.testing.assert_array_equal(pocket.w, start.w)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_rows_set_aside_judge_the_ends_of_epochs(n_classes):
    examples, judge = noisy(80, n_classes), noisy(50, n_classes, seed=7)
    state = Corrections.none(80, 1 if n_classes == 2 else n_classes, 4, average=False)
    pocket, ends = Pocket.empty(state), []
    for _ in range(5):
        rule = Rule(optim.Constant(1.0), shuffle=True, seed=1)
        state, pocket, share = pocket_epoch(examples, state, rule, pocket, judge)
        ends.append(judge.error_share(state.w))
        assert share == ends[-1]
        assert pocket.share == min(ends) == judge.error_share(pocket.w)
