"""What the target asks for."""

import numpy as np
import pandas as pd
import pytest

from margin.evaluation import infer_task
from margin.evaluation.table._task import check_target, choose_target

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("values", "task"),
    [
        (["a", "b"] * 20, "classification"),
        ([True, False] * 20, "classification"),
        (pd.Categorical([1, 2] * 20), "classification"),
        ([0, 1, 2] * 20, "classification"),
        ([0.0, 1.0, np.nan] * 20, "classification"),
        ([0.25, 0.75] * 20, "classification"),
        (list("0123") * 10, "classification"),
        (range(40), "regression"),
        (RNG.normal(size=40), "regression"),
        (RNG.normal(size=40).astype(str), "regression"),
        ([0.5, 1.5, 2.5] * 20, "regression"),
    ],
)
def test_task(values, task):
    inferred = infer_task(pd.Series(values))
    assert inferred.task == task
    assert inferred.reason


@pytest.mark.parametrize(
    ("columns", "chosen"),
    [(["a", "Target", "b"], "Target"), (["y", "a"], "y"), (["a", "b"], "b")],
)
def test_target_is_guessed_and_said_so(columns, chosen):
    name, notes = choose_target(pd.DataFrame(columns=columns), None)
    assert name == chosen
    assert repr(chosen) in notes[0]


def test_missing_target_column_suggests_a_near_name():
    with pytest.raises(ValueError, match="no column 'speces' in the table; did you mean 'species'"):
        choose_target(pd.DataFrame(columns=["species", "x"]), "speces")


def column(values):
    return pd.Series(values, name="y")


@pytest.mark.parametrize(
    ("values", "task", "message"),
    [
        (["a"] * 20, None, "at least 2 classes, got only 'a'"),
        ([5.0] * 20, None, "at least 2 classes, got only 5"),
        ([5.0] * 20, "regression", "must vary, got 5 in every row"),
        (["a", "b"] * 10, "regression", "must hold numbers for regression"),
        (RNG.normal(size=30), "classification", "3 rows per class on average, got 30 classes"),
        ([f"k{i}" for i in range(30)], None, "is it an identifier"),
        (["a"] * 20 + ["b"], None, "2 rows in 2 classes, got class 'b' once"),
        ([1.0] * 5, None, "known in at least 10 rows, got 5"),
        ([np.nan] * 40, None, "known in at least 10 rows, got 0"),
        (pd.date_range("2024-01-01", periods=20), None, "got dates"),
        ([f"2024-01-{i + 1:02d}" for i in range(20)], None, "got dates"),
        ([1, "a"] * 10, None, "mixes numbers and text"),
    ],
)
def test_targets_that_cannot_be_learned(values, task, message):
    with pytest.raises(ValueError, match=f"target 'y'.*{message}"):
        check_target(column(values), task)


def test_rows_without_a_target_are_left_out_and_counted():
    target = check_target(column([1.5, np.nan, 2.5, 3.5] * 10))
    assert target.task == "regression"
    assert target.rows.tolist() == [i for i in range(40) if i % 4 != 1]
    assert target.warnings == ("10 rows have no 'y' and are left out",)


def test_classes_of_one_row_are_left_out_and_named():
    target = check_target(column(["a"] * 10 + ["once"] + ["b"] * 10))
    assert 10 not in target.rows
    assert sorted(set(target.values)) == ["a", "b"]
    assert "'once'" in target.warnings[0]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([True, False] * 10, "b"),
        ([0.0, 1.0] * 10, "i"),
        ([0.5, 1.5] * 10, "f"),
        (["a", "b"] * 10, "U"),
        (pd.Categorical(["a", "b"] * 10), "U"),
        (pd.array([0, 1] * 10, dtype="Int64"), "i"),
    ],
)
def test_labels_keep_a_plain_type(values, kind):
    assert check_target(column(values)).values.dtype.kind == kind
