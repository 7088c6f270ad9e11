"""Folds turned into matrices."""

from dataclasses import replace

import numpy as np
import pytest

from margin.evaluation.race import _prepared
from margin.evaluation.race._prepared import inner_folds, inner_parts, prepare


def test_matrices_are_learned_on_the_training_rows_only(line_training):
    train, test = line_training.folds[0]
    part = prepare(line_training, 0).outer
    np.testing.assert_allclose(part.Z_train[:, :2].mean(axis=0), 0, atol=1e-12)
    assert np.abs(part.Z_test[:, :2].mean(axis=0)).min() > 1e-6
    np.testing.assert_array_equal(part.y_train, line_training.y[train])
    np.testing.assert_array_equal(part.y_test, line_training.y[test])


def test_inner_folds_stay_inside_the_training_rows(line_training):
    train, _ = line_training.folds[0]
    inner = prepare(line_training, 0).inner
    assert len(inner) == 3
    held_out = np.concatenate([part.y_test for part in inner])
    assert sorted(held_out) == sorted(line_training.y[train])
    for part in inner:
        np.testing.assert_allclose(part.Z_train[:, :2].mean(axis=0), 0, atol=1e-12)


def test_without_a_search_there_are_no_inner_folds(class_training):
    fold = prepare(class_training, 3, tuned=False)
    assert fold.inner == ()
    assert fold.outer.y_train.dtype.kind == "U"
    assert (fold.number, fold.seed) == (3, class_training.fold_seed(3))


def test_a_preprocessing_that_fails_is_the_error_of_the_fold(line_training):
    fold = prepare(replace(line_training, preprocessor=object()), 0)
    assert fold.outer is None
    assert fold.error.startswith("TypeError: ")


def test_inner_parts_of_all_rows(line_training):
    parts = inner_parts(line_training, np.arange(90), 0)
    assert sorted(len(part.y_test) for part in parts) == [30, 30, 30]


@pytest.mark.parametrize("stratify", [True, False])
def test_large_tables_are_searched_on_a_sample(stratify):
    y = np.arange(20_000) % 2
    folds = inner_folds(y, stratify=stratify, seed=0)
    rows = np.concatenate([test for _, test in folds])
    assert len(rows) == len(set(rows.tolist())) == _prepared.MAX_INNER_ROWS


def test_classes_with_a_single_row_do_not_stop_the_inner_folds():
    y = np.array([0] * 10 + [1] * 10 + [2])
    assert len(inner_folds(y, stratify=True, seed=0)) == 3


def test_a_smaller_fold_holds_classes_in_proportion(class_training):
    fold = prepare(class_training, 0)
    small = fold.sampled(20, 2, tests=7)
    assert small.outer.Z_train.shape == (20, 2)
    assert small.outer.Z_test.shape == (7, 2)
    assert small.inner == ()
    whole = np.mean(fold.outer.y_train == "yes")
    assert abs(np.mean(small.outer.y_train == "yes") - whole) < 0.06
    assert fold.sampled(20, tests=7, tuned=True).inner is fold.inner
