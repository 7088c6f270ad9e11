"""``margin compare`` on its built-in data, as a user runs it: a whole command."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.case import Case, Contestant, Size, Target

SECONDS = 60.0
TIMEOUT = 300.0


def run_compare(arguments: tuple[str, ...]) -> dict[str, Any]:
    """Run the command in a process and a folder of its own; return the leaderboard it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        board = Path(folder) / "board.json"
        written = ["--json", str(board), "--out", str(Path(folder) / "report")]
        command = [sys.executable, "-m", "margin.cli", "compare", *arguments, *written]
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        if done.returncode:
            raise RuntimeError(f"exit status {done.returncode}: {done.stderr[-300:]}")
        leaderboard: dict[str, Any] = json.loads(board.read_text(encoding="utf-8"))
    return leaderboard


def _shortfall(_: Any, leaderboard: dict[str, Any]) -> float:
    return float(leaderboard["baseline_score"] - leaderboard["test_score"])


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
        required_seconds=SECONDS,
        max_rounds=2,
        whole_command=True,
    ),
)
