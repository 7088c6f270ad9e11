from itertools import product

import numpy as np
import pytest

from margin.multiclass._best_column import best_column, cut_value
from margin.multiclass._code_matrices import canonical


def random_weight(n, seed):
    weight = np.random.default_rng(seed).uniform(size=(n, n))
    weight = weight + weight.T
    np.fill_diagonal(weight, 0.0)
    return weight


def every_column(n):
    return {canonical(c) for c in product((-1, 1), repeat=n) if len(set(c)) == 2}


def test_cut_is_the_weight_of_separated_pairs():
    weight, column = random_weight(5, 0), (1, -1, 1, 1, -1)
    expected = sum(weight[i, j] for i in range(5) for j in range(i) if column[i] != column[j])
    assert cut_value(weight, column) == pytest.approx(expected)


@pytest.mark.parametrize("n", [2, 3, 6])
def test_columns_come_in_the_order_of_their_cuts(n):
    """linear.55: the best column by brute force, then the best of the rest, until none is left."""
    weight = random_weight(n, 1)
    expected = sorted(every_column(n), key=lambda c: -cut_value(weight, c))
    used = []
    while (column := best_column(weight, used)) is not None:
        used.append(column)
    assert used == expected


def test_many_classes_are_searched_well():
    """Two planted groups of twenty classes are found without comparing all columns."""
    rng = np.random.default_rng(2)
    side = rng.permutation(np.repeat([-1, 1], 10))
    weight = np.where(np.equal.outer(side, side), 0.1, 1.0) + 0.2 * random_weight(20, 3)
    column = best_column(weight)
    assert column == canonical(side)
    second = best_column(weight, {column})
    assert second != column
    assert len(set(second)) == 2
    changed = [cut_value(weight, np.where(np.arange(20) == k, -1, 1) * second) for k in range(20)]
    one_off = np.sum(np.array(second) != np.array(column))
    assert one_off == 1 or cut_value(weight, second) >= max(changed) - 1e-9
