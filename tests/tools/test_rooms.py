"""The page of rooms is what the docstrings say."""

from pathlib import Path

import pytest

from tools import rooms

CONTRACT = """
[[tool.importlinter.contracts]]
type = "layers"
layers = ["cli", "(plotting) | linear", "core"]
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    home = tmp_path / "src" / "margin"
    for room, line in {
        "core": "The border.",
        "linear": "Linear models.",
        "linear/sparse": "Few columns, ``L1``.\n\nMore words.",
        "linear/curves": "Curves.",
        "linear/curves/splines": "Splines.",
        "cli": "Shall we?",
    }.items():
        (home / room).mkdir(parents=True, exist_ok=True)
        (home / room / "__init__.py").write_text(f'"""{line}"""\n')
    (tmp_path / "pyproject.toml").write_text(CONTRACT)
    (tmp_path / rooms.PAGE).parent.mkdir(parents=True)
    return tmp_path


def test_one_line_per_room_top_layer_first(root: Path) -> None:
    lines = [line for line in rooms.page(root).splitlines() if line.lstrip().startswith("- ")]
    assert lines == [
        "- **`cli`** · Shall we?",
        "- **`linear`** · Linear models.",
        "  - `curves` · Curves.",
        "    - `splines` · Splines.",
        "  - `sparse` · Few columns, `L1`.",
        "- **`core`** · The border.",
    ]


def test_a_page_out_of_date_is_told(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rooms.main(["--check"], root) == 1
    assert "docs/design/rooms.md is out of date: make rooms" in capsys.readouterr().out
    assert rooms.main([], root) == 0
    assert rooms.main(["--check"], root) == 0
    (root / "src" / "margin" / "core" / "__init__.py").write_text('"""Something else."""')
    assert rooms.main(["--check"], root) == 1


@pytest.mark.parametrize("text", ["", '"""no full stop"""', "x = 1"])
def test_a_room_must_say_what_lives_in_it(
    root: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (root / "src" / "margin" / "linear" / "sparse" / "__init__.py").write_text(text)
    assert rooms.main([], root) == 1
    assert "sparse/__init__.py: the docstring must begin with" in capsys.readouterr().out


def test_the_packages_of_the_contract_are_those_of_the_library() -> None:
    listed = {name for layer in rooms.layers(rooms.ROOT / "pyproject.toml") for name in layer}
    home = rooms.ROOT / "src" / "margin"
    assert {path.parent.name for path in home.glob("*/__init__.py")} <= listed
