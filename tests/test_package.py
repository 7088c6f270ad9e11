import importlib
import inspect
import json
import pkgutil
import statistics
import subprocess
import sys
import textwrap
from abc import ABCMeta

import pytest

import margin
from margin.core import versions

HEAVY = ("sklearn", "pandas", "matplotlib", "torch", "polars", "skops", "rich", "typer")
PACKAGES = sorted(m.name for m in pkgutil.iter_modules(margin.__path__) if m.ispkg)


def run(code):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_import_is_light_and_loads_no_family():
    loaded = run("""
        import json, sys
        import margin
        print(json.dumps(sorted(sys.modules)))
    """)
    assert "margin" in loaded
    assert not [name for name in loaded if name.split(".")[0] in HEAVY]
    assert [name for name in loaded if name.startswith("margin.")] == []


def test_import_costs_under_a_tenth_of_a_second_on_top_of_numpy_and_scipy():
    # A promise to the user, not a benchmark: the true cost is a few milliseconds.
    code = """
        import json, time
        import numpy, scipy
        start = time.perf_counter()
        import margin
        print(json.dumps(time.perf_counter() - start))
    """
    assert statistics.median(run(code) for _ in range(5)) < 0.1


def test_a_package_is_loaded_when_it_is_first_touched():
    before, after, same = run("""
        import json, sys
        import margin
        before = "margin.core" in sys.modules
        margin.core.Status
        same = margin.core is sys.modules["margin.core"]
        print(json.dumps([before, "margin.core" in sys.modules, same]))
    """)
    assert (before, after, same) == (False, True, True)


@pytest.mark.parametrize("name", PACKAGES)
def test_every_package_is_an_attribute_and_curates_its_names(name):
    package = getattr(margin, name)
    assert package is importlib.import_module(f"margin.{name}")
    assert package.__doc__
    public = package.__all__
    assert all(isinstance(item, str) for item in public)
    assert len(set(public)) == len(public)
    for item in public:
        assert hasattr(package, item), f"margin.{name}.__all__ names {item}, which is not there"


def test_torch_is_never_loaded_by_the_base():
    loaded = run("""
        import importlib, json, pkgutil, sys
        import margin
        for module in pkgutil.iter_modules(margin.__path__):
            if module.ispkg:
                importlib.import_module(f"margin.{module.name}")
        print(json.dumps("torch" in sys.modules))
    """)
    assert loaded is False


def test_dir_lists_the_packages_and_nothing_private():
    assert set(PACKAGES) <= set(dir(margin))
    assert {"__version__", "show_versions"} <= set(dir(margin))
    assert dir(margin) == sorted(margin.__all__)


def test_an_unknown_attribute_is_named():
    with pytest.raises(AttributeError, match=r"^module 'margin' has no attribute 'nonsense'$"):
        margin.nonsense  # noqa: B018


def test_a_broken_package_is_not_reported_as_missing():
    assert not hasattr(margin, "_no_such_package")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("margin.no_such_package")


def test_show_versions_prints_packages_and_machine(capsys):
    margin.show_versions()
    out = capsys.readouterr().out
    for name, value in {**versions.packages(), **versions.machine()}.items():
        assert any(line.split(None, 1) == [name, value] for line in out.splitlines())


def test_a_class_with_abstract_methods_cannot_be_made():
    """``abstractmethod`` binds nobody unless the class derives from ``ABC``."""
    for module in pkgutil.walk_packages(margin.__path__, "margin."):
        for name, cls in vars(importlib.import_module(module.name)).items():
            if inspect.isclass(cls) and cls.__module__.split(".")[0] == "margin":
                marked = [m for m in vars(cls).values() if getattr(m, "__isabstractmethod__", 0)]
                assert not marked or isinstance(cls, ABCMeta), f"{module.name}.{name}"
