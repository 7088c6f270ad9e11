"""The sanitized core takes the place of the usual one, wherever Python is started."""

import subprocess
import sys
from pathlib import Path

from margin.native import _native
from tools import sanitize


def test_children_import_the_module_they_are_told_to(tmp_path, monkeypatch):
    """The usual core under another name stands for a sanitized one, which takes long to build."""
    copy = tmp_path / "elsewhere" / Path(_native.__file__).name
    copy.parent.mkdir()
    copy.write_bytes(Path(_native.__file__).read_bytes())
    monkeypatch.setattr(sanitize, "BUILD", tmp_path)
    monkeypatch.setattr(sanitize, "runtime", lambda library: library)
    variables = sanitize.environment(copy)
    assert variables["LD_PRELOAD"] == "libasan.so libstdc++.so"
    assert "detect_leaks=0" in variables["ASAN_OPTIONS"]
    del variables["LD_PRELOAD"]
    variables["PYTHONPATH"] += ":" + ":".join(filter(None, sys.path))
    said = subprocess.run(
        [sys.executable, "-c", "from margin.native import _native; print(_native.__file__)"],
        env=variables, capture_output=True, text=True, check=True, timeout=120,
    ).stdout.strip()  # fmt: skip
    assert said == str(copy)


def test_a_core_that_cannot_be_loaded_ends_python(tmp_path, monkeypatch):
    broken = tmp_path / "_native.so"
    broken.write_bytes(b"nonsense")
    monkeypatch.setattr(sanitize, "BUILD", tmp_path)
    monkeypatch.setattr(sanitize, "runtime", lambda library: library)
    variables = {**sanitize.environment(broken), "LD_PRELOAD": ""}
    done = subprocess.run(
        [sys.executable, "-c", "print('alive')"],
        env=variables, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 3
    assert "alive" not in done.stdout
    assert "ImportError" in done.stderr


def test_the_sources_of_the_build_know_the_option():
    assert "MARGIN_SANITIZE" in (sanitize.ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
