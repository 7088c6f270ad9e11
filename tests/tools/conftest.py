"""Tests of the repository's own tools, which are not installed."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))


@pytest.fixture
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def run_example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], list]]:
    """Run a script as the gallery does, without a display: its status and what it said.

    One process imports the libraries and runs each script in a copy of itself.
    """
    settings = str(tmp_path_factory.mktemp("matplotlib"))
    environment = {**os.environ, "MPLBACKEND": "agg", "MPLCONFIGDIR": settings}
    # a copy of a process has its main thread only
    environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-W", "error", "-m", "tools.gallery"]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:

        def run(script: Path) -> list:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(f"{script}\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield run
        assert process.stdin is not None
        process.stdin.close()
