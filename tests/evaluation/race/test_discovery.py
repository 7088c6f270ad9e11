"""Finding estimators by their cards."""

import sys
from types import ModuleType

import pytest
from sklearn.base import BaseEstimator

import margin
from margin.core import Card
from margin.evaluation import all_estimators, family, summary
from margin.evaluation.race import _discovery

MODEL = """
from sklearn.base import BaseEstimator
from margin.core import Card

__all__ = ["Found", "NotAnEstimator", "NoCard", "VALUE"]
VALUE = 1

class Found(BaseEstimator):
    card = Card(tasks=("density",), input="sequences")

class NotAnEstimator:
    card = Card(tasks=("density",))

class NoCard(BaseEstimator):
    pass

class Hidden(BaseEstimator):
    card = Card(tasks=("density",))
"""


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A package like margin with families that are good, incomplete, broken or not theirs."""
    families = {
        "good": MODEL,
        "_private": MODEL,
        "cli": "raise RuntimeError('never imported')",
        "needy": "import a_library_that_nobody_has",
        "polite": "raise ImportError('needs torch: pip install x[torch]')",
    }
    package = tmp_path / "pretend"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "module.py").write_text("raise RuntimeError('never imported')")
    for name, text in families.items():
        (package / name).mkdir()
        (package / name / "__init__.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    import pretend

    yield pretend
    for name in [n for n in sys.modules if n.split(".")[0] == "pretend"]:
        del sys.modules[name]


def test_only_public_estimators_with_a_card_are_found(root):
    found = [
        name
        for package in _discovery._families(root)
        for name, _ in _discovery._public_estimators(package)
    ]
    assert found == ["Found"]


def test_our_own_faults_are_not_hidden(root, tmp_path):
    broken = tmp_path / "pretend" / "zbroken"
    broken.mkdir()
    (broken / "__init__.py").write_text("from pretend.good import Absent")
    with pytest.raises(ImportError, match="Absent"):
        list(_discovery._families(root))


def test_margin_is_walked_and_sorted():
    names = [name for name, _ in all_estimators()]
    assert names == sorted(names)
    assert "Ridge" in names


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_filters(task):
    for _, cls in all_estimators(task=task, input="table"):
        assert isinstance(cls, type)
        assert issubclass(cls, BaseEstimator)
        assert isinstance(cls.card, Card)
        assert task in cls.card.tasks
        assert cls.card.input == "table"
    assert all_estimators(task="juggling") == []
    assert all_estimators(input="smells") == []


def test_every_estimator_has_a_home_and_a_first_line():
    for name, cls in all_estimators():
        assert cls.__name__ == name
        assert getattr(getattr(margin, family(cls)), name) is cls
        assert summary(cls)


def test_summary_without_a_docstring_is_empty():
    assert summary(type("Bare", (), {"__module__": "x"})) == ""


def test_families_are_modules():
    assert all(isinstance(package, ModuleType) for package in _discovery._families(margin))
