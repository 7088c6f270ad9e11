from itertools import combinations, product

import numpy as np
import pytest

from margin.multiclass import (
    correction_capacity,
    exhaustive_code,
    hamming_distances,
    one_vs_one_code,
    one_vs_rest_code,
    row_distances,
)
from margin.multiclass._code_matrices import canonical, checked_code, code_lengths


def survives(code, n_errors):
    """Brute force: whatever unused classifiers say and whichever ``n_errors`` are wrong."""
    for k, row in enumerate(code):
        used, idle = np.flatnonzero(row), np.flatnonzero(row == 0)
        for wrong in combinations(used, min(n_errors, len(used))):
            answers = np.tile(row.astype(float), (2 ** len(idle), 1))
            answers[:, idle] = list(product((-1.0, 1.0), repeat=len(idle)))
            answers[:, list(wrong)] *= -1
            distance = hamming_distances(answers, code)
            rivals = np.delete(distance, k, axis=1).min(axis=1)
            if (distance[:, k] >= rivals).any():
                return False
    return True


def test_one_vs_rest_and_one_vs_one_are_coding_matrices():
    """linear.51: the printed matrices, one column per class and per pair."""
    rest, one = one_vs_rest_code(4), one_vs_one_code(4)
    np.testing.assert_array_equal(rest, 2 * np.eye(4) - 1)
    for column, (i, j) in zip(one.T, combinations(range(4), 2), strict=True):
        expected = np.zeros(4)
        expected[[i, j]] = 1, -1
        np.testing.assert_array_equal(column, expected)
    assert one_vs_rest_code(2).tolist() == [[-1], [1]]
    assert one_vs_one_code(2).tolist() == [[1], [-1]]


@pytest.mark.parametrize("n_classes", [2, 3, 4, 5, 6])
def test_exhaustive_code_holds_every_split_once(n_classes):
    """linear.52"""
    code = exhaustive_code(n_classes)
    assert code.shape == (n_classes, 2 ** (n_classes - 1) - 1)
    splits = {canonical(column) for column in code.T}
    every = {
        canonical(signs) for signs in product((-1, 1), repeat=n_classes) if len(set(signs)) == 2
    }
    assert splits == every
    off = row_distances(code)[~np.eye(n_classes, dtype=bool)]
    assert (off == 2 ** (n_classes - 2)).all()


def test_four_classes_seven_columns_correct_one_error():
    """linear.52: distance 4 corrects 1; one-vs-rest has distance 2 and corrects none."""
    assert row_distances(exhaustive_code(4)).max() == 4
    assert correction_capacity(exhaustive_code(4)) == 1
    assert row_distances(one_vs_rest_code(4)).max() == 2
    assert correction_capacity(one_vs_rest_code(4)) == 0


def test_capacity_is_what_brute_force_finds():
    """linear.52: exactly so many errors are corrected, one more is not, with zeros and without."""
    rng = np.random.default_rng(0)
    codes = [exhaustive_code(3), exhaustive_code(4), one_vs_one_code(4), one_vs_rest_code(5)]
    while len(codes) < 40:
        code = rng.choice([-1, 0, 1], size=(4, 7), p=[0.4, 0.2, 0.4])
        if len(np.unique(code, axis=0)) == 4:
            codes.append(code)
    capacities = []
    for code in codes:
        capacity = correction_capacity(code)
        assert capacity < 0 or survives(code, capacity)
        assert not survives(code, capacity + 1)
        capacities.append(capacity)
    assert {-1, 0, 1} <= set(capacities)


@pytest.mark.parametrize("n_classes", [3, 5])
def test_dense_capacity_is_the_printed_formula(n_classes):
    """linear.52: floor((L' - 1) / 2)"""
    rng = np.random.default_rng(1)
    for _ in range(20):
        code = rng.choice([-1, 1], size=(n_classes, 11))
        least = row_distances(code)[np.triu_indices(n_classes, 1)].min()
        assert correction_capacity(code) == (least - 1) // 2


def test_useless_codes_are_refused():
    refused = {
        "3 rows": [[1], [-1]],
        "-1, 0 and \\+1": [[1, 2], [-1, 1], [0, 1]],
        "column 1 without": [[1, 1], [-1, 1], [0, 0]],
        "equal rows": [[1, 1], [-1, -1], [-1, -1]],
    }
    for message, code in refused.items():
        with pytest.raises(ValueError, match=f"^Owner: code must be .*{message}"):
            checked_code("Owner", code, 3)
    for bad in (1, 2.0, True, "3"):
        with pytest.raises(ValueError, match="n_classes must be an integer of at least 2"):
            one_vs_rest_code(bad)
    with pytest.raises(ValueError, match="n_classes must be at most 15"):
        exhaustive_code(16)


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_most_columns_is_the_number_of_different_problems(n_classes):
    for sparse, values in ((False, (-1, 1)), (True, (-1, 0, 1))):
        columns = {
            canonical(signs)
            for signs in product(values, repeat=n_classes)
            if min(signs) < 0 < max(signs)
        }
        assert code_lengths(n_classes, sparse=sparse)[2] == len(columns)
