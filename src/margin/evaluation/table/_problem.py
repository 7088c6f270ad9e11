"""From a table and the name of its target to arrays, folds and rules of the comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sklearn.compose import ColumnTransformer

from margin.core import check
from margin.core.types import Array, Places
from margin.evaluation.table._column_info import ColumnInfo, Scale, TaskName
from margin.evaluation.table._columns import as_frame, describe
from margin.evaluation.table._costs import cost_matrix
from margin.evaluation.table._metric import Metric, choose_metric
from margin.evaluation.table._nature import Nature, nature_of_classes, nature_of_numbers
from margin.evaluation.table._preprocess import preprocessor
from margin.evaluation.table._split import Split
from margin.evaluation.table._task import Target, check_target, choose_target
from margin.evaluation.table._training import Training
from margin.evaluation.table.order._hidden_order import HiddenOrder, hidden_order
from margin.evaluation.table.order._plan import Plan
from margin.evaluation.table.order._state_plan import state_plan

if TYPE_CHECKING:
    import pandas as pd

_FEWEST_TRAINING_ROWS = 6
_TASK_OF_SCALE: dict[str, TaskName] = {"nominal": "classification", "numeric": "regression"}


@dataclass(frozen=True)
class Problem:
    """The columns to learn from, the target, and how answers are judged.

    ``n_rows`` counts the rows of the table as it came, with and without a target. ``nature`` is
    what was recognised about the target, ``plan`` how rows are set aside, and ``suspected`` an
    order in time that a random plan ignores. ``table`` has the same rows with all columns.
    """

    X: pd.DataFrame
    y: Array
    task: TaskName
    target: str
    metric: Metric
    columns: tuple[ColumnInfo, ...]
    preprocessor: ColumnTransformer
    n_rows: int
    warnings: tuple[str, ...] = ()
    nature: Nature = field(default_factory=Nature)
    plan: Plan = field(default_factory=Plan)
    suspected: HiddenOrder | None = None
    table: pd.DataFrame | None = None

    @property
    def stratify(self) -> bool:
        """Whether the target holds classes, to be kept in proportion."""
        return self.task == "classification"

    def split(self, test_size: float, seed: int) -> Split:
        """Hold out test rows, in proportion to the classes; at least two, to have a spread."""
        if isinstance(test_size, int | float) and 0 < test_size < 1:
            test_size = max(test_size, 2 / len(self.y))
        split = self.plan.holdout(self.y, test_size=test_size, stratify=self.stratify, seed=seed)
        if len(split.train) < _FEWEST_TRAINING_ROWS:
            raise check.fail(
                "compare",
                "test_size",
                f"small enough to leave {_FEWEST_TRAINING_ROWS} rows to train on",
                test_size,
            )
        return split

    def training(self, rows: Places, seed: int) -> Training:
        """The given rows with their cross-validation folds."""
        y, plan = self.y[rows], self.plan.take(rows)
        return Training(
            self.X.iloc[rows],
            y,
            self.preprocessor,
            self.metric,
            self.stratify,
            plan.folds(y, stratify=self.stratify, seed=seed),
            seed,
            plan,
        )


def state_problem(
    table: Any,
    target: str | None = None,
    *,
    task: TaskName | None = None,
    scales: Mapping[str, Scale] | None = None,
    metric: str | None = None,
    cost: Any = None,
    split: str = "random",
    group: str | None = None,
) -> Problem:
    """Check the table and state what is to be learned; every refusal is one line.

    Parameters
    ----------
    table : DataFrame
        Rows to learn from, target included.
    target : str, optional
        Column to predict; a usual name or the last column when absent.
    task : {"classification", "regression"}, optional
        Inferred from the target when absent.
    scales : mapping of str to str, optional
        Scales of columns for which the guess would be wrong.
    metric : str, optional
        The score, by name; what suits the target when absent.
    cost : pair, mapping or matrix, optional
        What wrong answers cost; see :func:`cost_matrix`.
    split : str
        ``"random"``, ``"time"`` (by the date column or the order of rows) or ``"time:COLUMN"``.
    group : str, optional
        Column whose equal values belong together: never apart in training and judging rows.
    """
    if task not in (None, "classification", "regression"):
        raise check.fail("compare", "task", "'classification' or 'regression'", task)
    frame = as_frame(table)
    n_rows = len(frame)
    name, notes = choose_target(frame, target)
    scales = dict(scales or {})
    task = task or _TASK_OF_SCALE.get(scales.pop(name, ""))
    answers = check_target(frame[name], task)
    kind: Scale = "nominal" if answers.task == "classification" else "numeric"
    columns = describe(frame, {**scales, name: kind})
    roles = {name: "the target"}
    if group is not None:
        roles[str(group)] = "names the groups"
    columns = tuple(
        replace(c, used=False, reason=roles[c.name]) if c.name in roles else c for c in columns
    )
    used = [c.name for c in columns if c.used]
    frame = frame.iloc[answers.rows].reset_index(drop=True)
    nature = _nature(frame[name], answers)
    plan = state_plan(frame, columns, name, split=split, group=group)
    if cost is not None and answers.task == "regression":
        wanted = "absent for a regression: costs belong to the answers of a classification"
        raise check.fail("compare", "cost", wanted, cost)
    costs = None if cost is None else cost_matrix(answers.values, cost)
    suspected = hidden_order(frame, columns, answers.values) if plan.kind == "random" else None
    return Problem(
        X=frame[used],
        y=answers.values,
        task=answers.task,
        target=name,
        metric=choose_metric(answers.task, answers.values, metric or nature.metric, costs=costs),
        columns=columns,
        preprocessor=preprocessor(frame, columns),
        n_rows=n_rows,
        warnings=(
            *notes,
            *answers.warnings,
            *nature.remarks,
            *_remarks(columns, name, len(frame)),
        ),
        nature=nature,
        plan=plan,
        suspected=suspected,
        table=frame,
    )


def _nature(column: pd.Series, answers: Target) -> Nature:
    if answers.task == "regression":
        return nature_of_numbers(answers.values, str(column.name))
    return nature_of_classes(column, answers.values)


def _remarks(columns: tuple[ColumnInfo, ...], target: str, n_rows: int) -> list[str]:
    remarks = [f"column {c.name!r} is empty and left out" for c in columns if c.scale == "empty"]
    n_used = sum(c.used for c in columns)
    if n_used > n_rows:
        remarks.append(f"more columns ({n_used}) than rows ({n_rows}): expect overfitting")
    return remarks
