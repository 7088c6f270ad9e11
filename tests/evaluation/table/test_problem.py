"""From a table and a target to what is to be learned."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from margin.evaluation.table._problem import state_problem


def test_a_regression(line):
    problem = state_problem(line, "y")
    assert (problem.task, problem.metric.name, problem.stratify) == ("regression", "R²", False)
    assert list(problem.X.columns) == ["x", "z", "kind"]
    np.testing.assert_array_equal(problem.y, line["y"])
    target = problem.columns[-1]
    assert (target.name, target.used, target.reason) == ("y", False, "the target")
    assert problem.warnings == ()


def test_a_classification(two_classes):
    problem = state_problem(two_classes, "label")
    assert (problem.task, problem.metric.name) == ("classification", "accuracy")
    split = problem.split(0.2, seed=0)
    arena = problem.training(split.train, seed=0)
    assert len(arena.folds) == 10
    shares = [np.mean(problem.y[part] == "yes") for part in (split.train, split.test)]
    assert shares[0] == pytest.approx(shares[1], abs=0.03)


def test_rows_without_target_leave_table_and_target_alike(line):
    line.loc[[3, 50], "y"] = np.nan
    problem = state_problem(line, "y")
    assert len(problem.X) == len(problem.y) == 118
    assert problem.X["x"].iloc[3] == line["x"].iloc[4]
    assert "2 rows have no 'y'" in problem.warnings[0]


@pytest.mark.parametrize(
    ("options", "task"),
    [
        ({}, "classification"),
        ({"task": "regression"}, "regression"),
        ({"scales": {"y": "numeric"}}, "regression"),
        ({"scales": {"y": "nominal"}}, "classification"),
    ],
)
def test_the_task_can_be_asked_for(line, options, task):
    line["y"] = np.arange(120) % 5
    assert state_problem(line, "y", **options).task == task


def test_a_target_that_counts_the_rows_is_no_identifier(line):
    line["y"] = np.arange(120)
    assert state_problem(line, "y").task == "regression"


def test_scales_are_passed_on(line):
    problem = state_problem(line, "y", scales={"z": "identifier"})
    assert list(problem.X.columns) == ["x", "kind"]


def test_remarks(line):
    wide = pd.concat([line, pd.DataFrame(np.random.default_rng(0).normal(size=(120, 130)))], axis=1)
    problem = state_problem(wide.assign(blank=np.nan), "y")
    assert "column 'blank' is empty and left out" in problem.warnings
    assert "more columns (133) than rows (120): expect overfitting" in problem.warnings


def test_column_names_of_any_type_become_text(line):
    problem = state_problem(line.rename(columns={"x": 0}), "y")
    assert list(problem.X.columns) == ["0", "z", "kind"]


def test_polars_tables_are_welcome(line):
    ours, theirs = state_problem(line, "y"), state_problem(pl.from_pandas(line), "y")
    pd.testing.assert_frame_equal(ours.X, theirs.X, check_dtype=False)
    assert ours.columns == theirs.columns


def test_a_test_set_has_at_least_two_rows_and_leaves_some(line):
    problem = state_problem(line, "y")
    assert len(problem.split(1e-9, seed=0).test) == 2
    with pytest.raises(ValueError, match="leave 6 rows to train on"):
        problem.split(0.99, seed=0)


def test_an_unknown_task_is_refused(line):
    with pytest.raises(
        ValueError, match="task must be 'classification' or 'regression', got 'art'"
    ):
        state_problem(line, "y", task="art")


def test_a_table_of_nothing_but_keys_is_refused():
    keys = pd.DataFrame({"key": [f"k{i}" for i in range(40)], "y": np.arange(40.0)})
    with pytest.raises(ValueError, match="no column is left to learn from"):
        state_problem(keys, "y")


def test_costs_belong_to_classification():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=50), "y": rng.normal(size=50)})
    words = "cost must be absent for a regression: costs belong to .* classification, got"
    with pytest.raises(ValueError, match=words):
        state_problem(frame, "y", cost=(1, 10))
