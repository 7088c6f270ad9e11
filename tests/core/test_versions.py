import sys
from importlib import metadata

import numpy as np
import pytest

import margin
from margin import native
from margin.core import versions


def test_packages_lists_what_is_installed_and_leaves_out_what_is_not():
    found = versions.packages()
    assert found["margin"] == margin.__version__
    assert found["numpy"] == np.__version__
    for name, version in found.items():
        assert metadata.version(name) == version


def test_packages_skips_absent_extras(monkeypatch):
    monkeypatch.setattr(versions, "_OPTIONAL", ("no-such-distribution",))
    assert "no-such-distribution" not in versions.packages()


def test_machine_describes_the_compiled_core():
    machine = versions.machine()
    assert machine["python"] == sys.version.split()[0]
    assert machine["threads"] == str(native.max_threads())
    assert set(machine) == {"python", "platform", "compiler", "openmp", "threads", "simd"}


@pytest.mark.parametrize(
    ("openmp", "said"), [(True, "yes"), (False, "no: compiled loops run on a single thread")]
)
def test_machine_says_when_there_is_no_openmp(monkeypatch, openmp, said):
    info = {"openmp": openmp, "compiler": "x", "simd": "none"}
    monkeypatch.setattr(native, "build_info", lambda: info)
    assert versions.machine()["openmp"] == said


def test_show_prints_aligned_columns(capsys):
    versions.show()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(versions.packages()) + len(versions.machine())
    starts = {len(line) - len(line.split(None, 1)[1]) for line in lines}
    assert len(starts) == 1
