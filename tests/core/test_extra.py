"""Optional libraries: imported when needed, named with the command when missing."""

import sys
import tomllib
from pathlib import Path

import pytest

from margin.core import FitReport, Status, _extra, extra


def test_present() -> None:
    assert extra("matplotlib.pyplot", "anything") is sys.modules["matplotlib.pyplot"]


@pytest.mark.parametrize("library", sorted(_extra._EXTRAS))
def test_missing(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=r"^Thing\.plot needs \w+: pip install 'margin\[\w+\]'$"):
        extra(library, "Thing.plot")


def test_every_extra_is_one_of_the_project() -> None:
    text = (Path(__file__).resolve().parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    offered = tomllib.loads(text)["project"]["optional-dependencies"]
    for library, name in _extra._EXTRAS.items():
        names = (library, _extra._NAMES.get(library, library))
        assert any(line.startswith(names) for line in offered[name])


def test_a_broken_library_speaks_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torch.py").write_text("import something_else_entirely\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    with pytest.raises(ModuleNotFoundError, match="something_else_entirely"):
        extra("torch", "Thing")


def test_pictures_and_frames_name_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    report = FitReport("Ridge", "cholesky", Status.CONVERGED, 1, 0.5)
    for library, call, name in (
        ("matplotlib", report.plot, r"FitReport\.plot"),
        ("pandas", report.to_frame, r"FitReport\.to_frame"),
    ):
        monkeypatch.setitem(sys.modules, library, None)
        monkeypatch.setitem(sys.modules, f"{library}.pyplot", None)
        with pytest.raises(ImportError, match=rf"^{name} needs {library}: pip install"):
            call()
