"""First lines of docstrings without markup."""

import pytest

from margin.cli._plain import formula, plain
from margin.cli._show import _entry
from margin.evaluation import all_estimators


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("``code`` and **bold**", "code and bold"),
        (":class:`~margin.linear.Ridge` or :func:`draw <margin.graphs.draw>`", "Ridge or draw"),
        (r":math:`\tfrac12 \|w\|^2`", "1/2 ‖w‖^2"),
        ("nothing to do", "nothing to do"),
    ],
)
def test_plain(words, expected):
    assert plain(words) == expected


def test_formula():
    assert formula(r"f(X) = \sum_m \beta_m h_m(X)") == "f(X) = ∑_m β_m h_m(X)"
    assert formula(r"\left(a\right) \unknown{b}") == "(a) unknownb"


@pytest.mark.parametrize(("name", "cls"), all_estimators())
def test_no_description_has_markup(name, cls):
    words = _entry(name, cls)["description"]
    assert not set("\\`{}") & set(words)
    assert ":math:" not in words
