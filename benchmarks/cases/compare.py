"""``margin compare`` as a user runs it, a whole command; on kinds of tables, beside two peers.

``make bench`` has the tables of :data:`ALWAYS`; with ``MARGIN_BENCH_COMPARE=all`` in the
environment, all. ``python -m benchmarks.compared`` says more about each on one line.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.case import Case, Contestant, Size, Target
from benchmarks.tables import KINDS, TARGET

SECONDS = 60.0
# A tenth more than the budget, and the start of the interpreter.
ALLOWED = 66.0
TIMEOUT = 300.0
ALWAYS = ("digits", "fraud", "houses")
HGB, FOREST = "HistGradientBoosting", "RandomForest"


def run_compare(arguments: tuple[str, ...], timeout: float = TIMEOUT) -> dict[str, Any]:
    """Run the command in a process and a folder of its own; return the leaderboard it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        board = Path(folder) / "board.json"
        written = ["--json", str(board), "--out", str(Path(folder) / "report")]
        command = [sys.executable, "-m", "margin.cli", "compare", *arguments, *written]
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
        if done.returncode:
            words = "only baselines finished" if done.returncode == 3 else done.stderr[-300:]
            raise RuntimeError(f"exit status {done.returncode}: {words}")
        leaderboard: dict[str, Any] = json.loads(board.read_text(encoding="utf-8"))
    return leaderboard


def compare_table(table: pd.DataFrame, budget: float = SECONDS) -> dict[str, Any]:
    """Write a table to a file and compare models on it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        table.to_csv(path, index=False)
        arguments = (str(path), "--target", TARGET, "--budget", f"{budget:g}s")
        return run_compare(arguments, max(TIMEOUT, 2 * budget))


def fit_peer(table: pd.DataFrame, name: str) -> dict[str, Any]:
    """Score scikit-learn's model, on the rows that ``margin compare`` holds out."""
    from sklearn import ensemble
    from sklearn.base import clone
    from sklearn.pipeline import Pipeline

    from margin.evaluation.table._problem import state_problem

    problem = state_problem(table, TARGET)
    split = problem.split(0.25, 0)
    kind = "Classifier" if problem.task == "classification" else "Regressor"
    peer = getattr(ensemble, name + kind)(random_state=0)
    model = Pipeline([("columns", clone(problem.preprocessor)), ("model", peer)])
    model.fit(problem.X.iloc[split.train], problem.y[split.train])
    answers = problem.metric.answers(model, problem.X.iloc[split.test])
    return {"test_score": problem.metric(problem.y[split.test], answers)}


def _shortfall(_: Any, leaderboard: dict[str, Any]) -> float:
    return float(leaderboard["baseline_score"] - leaderboard["test_score"])


def _lost(_: Any, fitted: dict[str, Any]) -> float:
    return 1.0 - float(fitted["test_score"])


def table(name: str) -> pd.DataFrame:
    return KINDS[name].make()


def _case(name: str) -> Case:
    kind = KINDS[name]
    own: Callable[..., Any] = compare_table
    peers = [
        Contestant(peer, partial(fit_peer, name=peer), requires=("sklearn",), binding=False)
        for peer in (HGB, FOREST)
    ]
    return Case(
        name=f"compare-{name}",
        description=(
            f"`margin compare` with its default budget on a table of the kind “{name}”, beside"
            " scikit-learn's models as they come, scored on the same held-out rows."
        ),
        make_data=partial(table, name),
        sizes=(Size(kind.size, {}, 1, required=True),),
        contestants=(Contestant("margin", own, requires=("margin.cli",), ours=True), *peers),
        target=Target(
            objective=_lost,
            objective_name="one minus the score on the test rows",
            tolerance=kind.se,
        ),
        required_seconds=ALLOWED,
        max_rounds=1,
        whole_command=True,
    )


CASES = (
    Case(
        name="compare-built-in",
        description=(
            "`margin compare` without arguments, from the start of the process to the written"
            " report and model, as the best of two runs."
        ),
        make_data=tuple,
        sizes=(Size("built-in data", {}, 1, required=True),),
        contestants=(Contestant("margin", run_compare, requires=("margin.cli",), ours=True),),
        target=Target(
            objective=_shortfall,
            objective_name="score of the baseline minus the winner's on the test set",
            tolerance=1.0,
        ),
        required_seconds=ALLOWED,
        max_rounds=2,
        whole_command=True,
    ),
    *map(_case, KINDS if os.environ.get("MARGIN_BENCH_COMPARE") == "all" else ALWAYS),
)
