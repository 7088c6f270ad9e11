"""Every example of the gallery runs without a display and leaves no picture unfinished."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
SCRIPTS = sorted(EXAMPLES.rglob("plot_*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: p.relative_to(EXAMPLES).as_posix())
def test_runs(script: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "MPLBACKEND": "agg", "MPLCONFIGDIR": str(tmp_path)}
    command = [sys.executable, "-W", "error", "-m", "tools.gallery", str(script)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_there_are_examples() -> None:
    assert SCRIPTS
