"""Models of other libraries."""

import pytest
from sklearn.linear_model import LogisticRegression, Ridge

from margin.evaluation.race._entrants import entrants
from margin.evaluation.race._foreign import as_model, foreign


def test_a_class_by_its_address():
    assert foreign("sklearn.linear_model:Ridge") == ("Ridge", Ridge)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("os", "must be 'module:Class'"),
        ("os:system", "no installed package has the module 'os'"),
        ("sklearn.linear_model:ridge_regression", "has no class 'ridge_regression'"),
        ("sklearn.nothing:Ridge", "cannot be imported"),
        ("sklearn.linear_model:a b", "must be 'module:Class'"),
    ],
)
def test_addresses_that_are_refused(address, words):
    with pytest.raises(ValueError, match=words):
        foreign(address)


def test_a_module_that_lies_about_is_not_imported(tmp_path, monkeypatch):
    (tmp_path / "lies.py").write_text("raise AssertionError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="no installed package has the module 'lies'"):
        foreign("lies:Model")


def test_instances_and_classes():
    kept = Ridge(alpha=3.0)
    assert as_model("r", kept, "regression") is kept
    assert as_model("r", Ridge, "regression").alpha == 1.0
    with pytest.raises(ValueError, match="'l' is not made for regression"):
        as_model("l", LogisticRegression(), "regression")
    with pytest.raises(ValueError, match="must have scikit-learn's contract, lacks 'fit'"):
        as_model("o", object, "regression")


def test_they_enter_beside_our_own():
    field, _ = entrants("regression", ["LinearRegression"], 50, extra=[Ridge(alpha=3.0)])
    names = {e.name: e for e in field}
    assert names["Ridge"].estimator.alpha == 3.0
    assert names["Ridge"].family == "sklearn"
    with pytest.raises(ValueError, match="must be different, got 'Ridge'"):
        entrants("regression", ["Ridge"], 50, extra=["sklearn.linear_model:Ridge"])
