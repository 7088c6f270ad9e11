"""Folds turned into matrices."""

from dataclasses import replace

import numpy as np
import pytest

from margin.evaluation.table import _prepared
from margin.evaluation.table._prepared import PreparedFold, inner_folds, prepared


def test_matrices_are_learned_on_the_training_rows_only(line_arena):
    train, test = line_arena.folds[0]
    part = prepared(line_arena, 0).outer
    np.testing.assert_allclose(part.Z_train[:, :2].mean(axis=0), 0, atol=1e-12)
    assert np.abs(part.Z_test[:, :2].mean(axis=0)).min() > 1e-6
    np.testing.assert_array_equal(part.y_train, line_arena.y[train])
    np.testing.assert_array_equal(part.y_test, line_arena.y[test])


def test_inner_folds_stay_inside_the_training_rows(line_arena):
    train, _ = line_arena.folds[0]
    inner = prepared(line_arena, 0).inner
    assert len(inner) == 3
    held_out = np.concatenate([part.y_test for part in inner])
    assert sorted(held_out) == sorted(line_arena.y[train])
    for part in inner:
        np.testing.assert_allclose(part.Z_train[:, :2].mean(axis=0), 0, atol=1e-12)


def test_the_latest_fold_is_kept_and_no_other(line_arena):
    first = prepared(line_arena, 0)
    assert prepared(line_arena, 0) is first
    prepared(line_arena, 1)
    assert len(_prepared._latest) == 1
    assert prepared(line_arena, 0) is not first
    _prepared.forget()
    assert not _prepared._latest


def test_two_tables_are_not_confused(line_arena, class_arena):
    prepared(line_arena, 0)
    assert prepared(class_arena, 0).outer.y_train.dtype.kind == "U"


def test_matrices_are_made_when_asked_for(line_arena):
    fold = PreparedFold(replace(line_arena, preprocessor=object()), *line_arena.folds[0], seed=0)
    with pytest.raises(TypeError):
        fold.outer.Z_train.sum()


@pytest.mark.parametrize("stratify", [True, False])
def test_large_tables_are_searched_on_a_sample(stratify):
    y = np.arange(20_000) % 2
    folds = inner_folds(y, stratify=stratify, seed=0)
    rows = np.concatenate([test for _, test in folds])
    assert len(rows) == len(set(rows.tolist())) == _prepared.MAX_INNER_ROWS


def test_classes_with_a_single_row_do_not_stop_the_inner_folds():
    y = np.array([0] * 10 + [1] * 10 + [2])
    assert len(inner_folds(y, stratify=True, seed=0)) == 3
