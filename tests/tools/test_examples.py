"""Every example of the gallery runs without a display and leaves no picture unfinished."""

from collections.abc import Callable
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SCRIPTS = sorted(EXAMPLES.rglob("plot_*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: p.relative_to(EXAMPLES).as_posix())
def test_runs(script: Path, run_example: Callable[[Path], list]) -> None:
    code, said = run_example(script)
    assert code == 0, said


def test_there_are_examples() -> None:
    assert SCRIPTS
