"""The mirror check finds modules without a test."""

from pathlib import Path

import pytest

from tools import mirror


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    package = tmp_path / "src" / "margin" / "linear"
    package.mkdir(parents=True)
    for name in ("__init__.py", "__main__.py", "_ridge.py", "lasso.py"):
        (package / name).touch()
    tests = tmp_path / "tests" / "linear"
    tests.mkdir(parents=True)
    (tests / "test_ridge.py").touch()
    return tmp_path


def test_missing_test_is_named(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert mirror.main(tree) == 1
    output = capsys.readouterr().out
    assert "src/margin/linear/lasso.py: no tests/linear/test_lasso.py" in output
    assert "ridge" not in output
    assert "__main__" not in output


def test_complete_tree_passes(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "tests" / "linear" / "test_lasso.py").touch()
    assert mirror.main(tree) == 0
    assert capsys.readouterr().out == ""


def test_a_test_in_another_folder_does_not_count(tree: Path) -> None:
    other = tree / "tests" / "optim"
    other.mkdir()
    (other / "test_lasso.py").touch()
    assert mirror.main(tree) == 1
