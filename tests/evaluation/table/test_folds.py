"""Folds of a repeated cross-validation."""

import numpy as np
import pytest

from margin.evaluation.table._folds import folds_in_words, make_folds, one_repeat, rare_classes


@pytest.mark.parametrize("stratify", [True, False])
def test_each_row_is_held_out_once_per_repetition(stratify):
    y = np.arange(53) % 3
    folds = make_folds(y, stratify=stratify, seed=0)
    assert len(folds) == 10
    held_out = np.concatenate([test for _, test in folds])
    assert np.bincount(held_out).tolist() == [2] * 53
    assert all(not set(train) & set(test) for train, test in folds)
    first = np.concatenate([test for _, test in one_repeat(folds)])
    assert sorted(first.tolist()) == list(range(53))


def test_classes_are_kept_in_proportion():
    y = np.repeat([0, 1], [80, 20])
    for _, test in make_folds(y, stratify=True, seed=3):
        assert np.bincount(y[test]).tolist() == [16, 4]


@pytest.mark.parametrize(
    ("n", "words"),
    [
        (50, "2 × 5-fold cross-validation"),
        (9, "2 × 3-fold cross-validation"),
        (6_000, "5-fold cross-validation"),
        (100_001, "3-fold cross-validation"),
    ],
)
def test_fewer_folds_for_very_few_or_very_many_rows(n, words):
    folds = make_folds(np.zeros(n), stratify=False, seed=0)
    assert folds_in_words(folds, len(folds)) == words
    assert folds_in_words(folds, 1).endswith(f"(1 of {len(folds)} folds run)")


def test_hardly_any_rows_of_each_class_still_make_folds():
    folds = make_folds(np.arange(8) % 4, stratify=True, seed=0)
    assert len(one_repeat(folds)) == 2


def test_rare_classes_are_named():
    y = np.repeat(["many", "few"], [30, 4])
    assert "'few'" in rare_classes(y, 5)[0]
    assert rare_classes(y, 4) == ()
