"""Unfinished pictures of the gallery are told."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tools import gallery

HEAD = "import matplotlib\nmatplotlib.use('agg')\nimport matplotlib.pyplot as plt\n"
DRAW = "figure, axes = plt.subplots(1, 2)\naxes[0].plot([1, 2])\naxes[1].set_title('right')\n"
LATER = "# %%\n# words\naxes[1].plot([1, 2])\n"
RUN = Callable[[Path], list]


def script(text: str, folder: Path) -> Path:
    path = folder / "plot_it.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_parts_keep_their_lines() -> None:
    text = "a = 1\n# %%\n# words\nb = 2\n####################\nc = 3\n"
    pieces = list(gallery.parts(text))
    assert len(pieces) == 3
    assert pieces[2].splitlines()[5] == text.splitlines()[5]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (HEAD + DRAW, "“right” is empty"),
        (HEAD + DRAW + LATER, "“right” is empty"),
        (HEAD + DRAW + LATER, "drawn on after it was shown"),
    ],
)
def test_unfinished(text: str, told: str, tmp_path: Path, run_example: RUN) -> None:
    code, said = run_example(script(text, tmp_path))
    assert code == 1
    assert told in said


@pytest.mark.parametrize("last", ["axes[1].plot([1, 2])", "axes[1].axis('off')"])
def test_finished(last: str, tmp_path: Path, run_example: RUN) -> None:
    assert run_example(script(HEAD + DRAW + last, tmp_path)) == [0, ""]


def test_an_error_names_its_line(tmp_path: Path, run_example: RUN) -> None:
    code, said = run_example(script(HEAD + "# %%\n# words\nraise ValueError\n", tmp_path))
    assert code == 1
    assert "line 6" in said


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("import warnings\nwarnings.warn('now')\n", 1),
        ("import sys\nsys.exit(3)\n", 1),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", -9),
    ],
)
def test_what_ends_badly(text: str, status: int, tmp_path: Path, run_example: RUN) -> None:
    assert run_example(script(text, tmp_path))[0] == status


def test_a_script_changes_nothing_for_the_next(tmp_path: Path, run_example: RUN) -> None:
    text = "import matplotlib.pyplot as plt\nassert plt.rcParams['lines.linewidth'] != 9\n"
    changing = script(text + "plt.rcParams['lines.linewidth'] = 9\n", tmp_path)
    assert [run_example(changing)[0] for _ in range(2)] == [0, 0]


def test_by_name(tmp_path: Path, root: Path) -> None:
    command = [sys.executable, "-m", "tools.gallery", str(script(HEAD + DRAW, tmp_path))]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "“right” is empty" in done.stderr
