import importlib
import pickle
import pkgutil
import sys
import types

import pytest

import margin
from margin.core import publish

PACKAGES = sorted(m.name for m in pkgutil.iter_modules(margin.__path__) if m.ispkg)


def offered():
    for package in PACKAGES:
        module = importlib.import_module(f"margin.{package}")
        for name in getattr(module, "__all__", ()):
            item = getattr(module, name)
            if isinstance(item, type | types.FunctionType):
                yield pytest.param(f"margin.{package}", name, item, id=f"{package}.{name}")


@pytest.mark.parametrize(("package", "name", "item"), list(offered()))
def test_every_public_name_says_where_it_is_imported(package, name, item):
    home = importlib.import_module(item.__module__)
    assert item.__module__.count(".") == 1
    assert name in home.__all__
    assert getattr(home, name) is item
    assert pickle.loads(pickle.dumps(item)) is item


def test_what_is_passed_on_keeps_its_address(monkeypatch):
    made = types.ModuleType("made")
    made.__all__ = ["Own", "Foreign", "number"]
    made.Own = type("Own", (), {"__module__": "made.inside._own"})
    made.Foreign = type("Foreign", (), {"__module__": "madeup._foreign"})
    made.number = 3
    monkeypatch.setitem(sys.modules, "made", made)
    publish("made")
    assert made.Own.__module__ == "made"
    assert made.Foreign.__module__ == "madeup._foreign"
