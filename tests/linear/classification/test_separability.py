from itertools import combinations, product

import numpy as np
import pytest
from scipy import sparse

from margin.linear import best_linear_accuracy, separability

CORNERS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
XOR = np.array([0, 1, 1, 0])


def test_xor_is_not_separable_and_at_best_three_quarters_right():
    """linear.30: a point in both convex hulls proves it, and one row in four must be wrong."""
    answer = separability(CORNERS, XOR)
    assert not answer.separable
    assert answer.margin <= 0
    sign = np.where(XOR == 1, 1.0, -1.0)
    np.testing.assert_allclose((answer.multipliers * sign) @ CORNERS, 0, atol=1e-12)
    for label in (0, 1):
        assert answer.multipliers[label == XOR].sum() == pytest.approx(1)
    assert (answer.multipliers >= 0).all()
    assert best_linear_accuracy(CORNERS, XOR) == 3 / 4


def test_fourteen_of_sixteen_boolean_functions_are_separable():
    """linear.30: all functions of two bits but XOR and its negation (two have one class only)."""
    tables = [np.array(t) for t in product([0, 1], repeat=4) if 0 < sum(t) < 4]
    answers = [separability(CORNERS, t).separable for t in tables]
    assert sum(answers) == 12
    wrong = [t.tolist() for t, a in zip(tables, answers, strict=True) if not a]
    assert wrong == [[0, 1, 1, 0], [1, 0, 0, 1]]


@pytest.mark.parametrize("shift", [0.0, 1e3])
def test_separating_hyperplane_is_verified_by_multiplication(shift):
    """linear.30: the weights put every row on its own side, by the margin that is stated."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) * [1, 100, 0.01]
    score = X @ [1, 0.01, 100]
    X, score = X[np.abs(score) > 0.2] + shift * np.array([1, 1, 0]), score[np.abs(score) > 0.2]
    sign = np.where(score > 0, 1, -1)
    for rows in (X, sparse.csr_array(X)):
        answer = separability(rows, sign)
        assert answer.separable
        advantage = sign * (X @ answer.coef[0] + answer.intercept[0])
        assert advantage.min() == pytest.approx(answer.margin, rel=1e-6)
        assert answer.margin > 0
        assert "linearly separable with margin" in str(answer)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("offset", [0.0, 1e6, 1e9, -1e12])
def test_an_offset_of_the_columns_does_not_change_the_answer(offset, storage):
    """linear.30: far from zero the spread of a column is small beside its size."""
    rng = np.random.default_rng(4)
    X = np.round(rng.normal(size=(40, 2)), 2)  # exact sums: the shifted rows are the same points
    side = X @ [1.0, 1.0]
    X, side = X[np.abs(side) > 0.3], side[np.abs(side) > 0.3]
    X = np.round(X * 2**10) / 2**10
    apart, mixed = np.sign(side), np.where(np.arange(len(X)) % 2, 1, -1)
    assert separability(storage(X + offset), apart).separable
    answer = separability(storage(X + offset), mixed)
    assert not answer.separable
    np.testing.assert_allclose((answer.multipliers * mixed) @ X, 0, atol=1e-9)
    three = np.where(side > 0.3, 2, np.where(X[:, 0] > X[:, 1], 1, 0))
    here, there = separability(storage(X), three), separability(storage(X + offset), three)
    assert here.separable == there.separable


def test_many_classes():
    """linear.30: one score per class, above those of all rivals; no such scores on a line."""
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1, 2], 20)
    centres = np.array([[0.0, 4.0], [4.0, -3.0], [-4.0, -3.0]])
    X = centres[y] + rng.uniform(-1, 1, size=(60, 2))
    answer = separability(X, y)
    assert answer.separable
    np.testing.assert_array_equal((X @ answer.coef.T + answer.intercept).argmax(axis=1), y)
    mixed = separability(np.arange(6.0)[:, None], [0, 1, 2, 0, 1, 2])
    assert not mixed.separable
    assert str(mixed) == "not linearly separable"


def test_best_accuracy_equals_the_best_threshold_on_a_line():
    """linear.30: in one dimension all hyperplanes can be tried."""
    rng = np.random.default_rng(2)
    x = np.arange(8.0)
    for _ in range(4):
        y = rng.permutation([0, 0, 0, 0, 1, 1, 1, 1])
        sides = [(x > cut).astype(int) for cut in np.arange(-0.5, 8)]
        best = max(max(np.mean(s == y), np.mean(1 - s == y)) for s in sides)
        assert best_linear_accuracy(x[:, None], y) == best
    with pytest.raises(ValueError, match=r"^best_linear_accuracy: X must be of at most 14 rows"):
        best_linear_accuracy(np.arange(15.0)[:, None], [0, 1, 0] * 5)


def test_answer_against_random_directions():
    """linear.30: whatever separates in a dense scan of directions is found separable."""
    rng = np.random.default_rng(3)
    angles = np.linspace(0, 2 * np.pi, 2000)
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    answers = set()
    for rows in combinations(range(7), 5):
        X = rng.normal(size=(7, 2))[list(rows)]
        y = np.array([0, 0, 0, 1, 1])
        scores = X @ directions.T
        gap = (scores[3:].min(axis=0) - scores[:3].max(axis=0)).max()
        if abs(gap) > 0.02:
            answers.add(gap > 0)
            assert separability(X, y).separable == (gap > 0)
    assert answers == {True, False}


def test_columns_of_denormal_numbers():
    """linear.30: the reciprocal of their size is infinite, their separability is not."""
    X, y = 1e-310 * np.arange(6.0)[:, None], [0, 0, 0, 1, 1, 1]
    for table in (X, sparse.csr_array(X)):
        with np.errstate(over="ignore", invalid="ignore"):
            assert separability(table, y).separable
