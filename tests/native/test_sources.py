"""Every file of the compiled core reaches the build and the source distribution."""

import shutil
import subprocess
import tomllib
from pathlib import Path

import pathspec
import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "src" / "native").rglob("*")
    if path.suffix in {".cpp", ".hpp"}
)


def test_sources_stand_in_rooms():
    rooms = {Path(name).parent.name for name in SOURCES}
    assert {"common", "rows", "columns", "duals", "kernels", "junction", "grid"} <= rooms
    assert [name for name in SOURCES if Path(name).parent.name == "native"] == [
        "src/native/module.cpp"
    ]


def test_source_distribution_holds_every_room():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    patterns = project["tool"]["scikit-build"]["sdist"]["include"]
    included = pathspec.GitIgnoreSpec.from_lines(patterns)
    assert [name for name in SOURCES if not included.match_file(name)] == []


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_builds_again_when_any_source_changes():
    listed = subprocess.run(
        ["make", "--eval", "list-native: ; @echo $(NATIVE)", "list-native"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(SOURCES) <= set(listed.stdout.split())


def test_includes_name_their_room():
    for name in SOURCES:
        for line in (ROOT / name).read_text().splitlines():
            if line.startswith('#include "'):
                header = line.split('"')[1]
                assert (ROOT / "src" / "native" / header).is_file(), f"{name}: {line}"
