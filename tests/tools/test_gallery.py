"""Unfinished pictures of the gallery are told."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools import gallery

HEAD = "import matplotlib\nmatplotlib.use('agg')\nimport matplotlib.pyplot as plt\n"
DRAW = "figure, axes = plt.subplots(1, 2)\naxes[0].plot([1, 2])\naxes[1].set_title('right')\n"
LATER = "# %%\n# words\naxes[1].plot([1, 2])\n"


def check(text: str, folder: Path, root: Path) -> subprocess.CompletedProcess[str]:
    script = folder / "plot_it.py"
    script.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "tools.gallery", str(script)]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def test_parts_keep_their_lines() -> None:
    text = "a = 1\n# %%\n# words\nb = 2\n####################\nc = 3\n"
    pieces = list(gallery.parts(text))
    assert len(pieces) == 3
    assert pieces[2].splitlines()[5] == text.splitlines()[5]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + DRAW, "“right” is empty"),
        (HEAD + DRAW + LATER, "“right” is empty"),
        (HEAD + DRAW + LATER, "drawn on after it was shown"),
    ],
)
def test_unfinished(text: str, said: str, tmp_path: Path, root: Path) -> None:
    done = check(text, tmp_path, root)
    assert done.returncode == 1
    assert said in done.stderr


@pytest.mark.parametrize("last", ["axes[1].plot([1, 2])", "axes[1].axis('off')"])
def test_finished(last: str, tmp_path: Path, root: Path) -> None:
    done = check(HEAD + DRAW + last, tmp_path, root)
    assert done.returncode == 0, done.stderr


def test_an_error_names_its_line(tmp_path: Path, root: Path) -> None:
    done = check(HEAD + "# %%\n# words\nraise ValueError\n", tmp_path, root)
    assert done.returncode != 0
    assert "line 6" in done.stderr
