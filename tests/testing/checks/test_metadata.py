import warnings
from dataclasses import replace

import pytest

from margin.core import Card, Certificate, Status
from margin.linear import LinearDiscriminantAnalysis, LogisticRegression, Ridge
from margin.testing.checks import _metadata as checks

ALL = [
    checks.check_constructor,
    checks.check_docstring,
    checks.check_card,
    checks.check_fit_report,
]


@pytest.mark.parametrize("check", ALL)
def test_a_good_estimator_passes(check):
    check("good", Ridge())


def test_a_fit_cut_short_says_so():
    checks.check_cut_short("good", LogisticRegression())


def test_parameters_that_the_namesake_takes_by_position_may_be_given_so():
    checks.check_constructor("good", LinearDiscriminantAnalysis())


class OneByPosition(Ridge):
    def __init__(self, alpha=1.0):
        self.alpha = alpha


def test_without_a_namesake_the_first_parameter_may_go_by_position():
    checks.check_constructor("good", OneByPosition())


class Positional(Ridge):
    def __init__(self, alpha=1.0, tol=1.0):
        self.alpha, self.tol = alpha, tol


class Works(Ridge):
    def __init__(self, *, alpha=1.0):
        self.alpha = alpha
        self.strength = alpha


class MutableDefault(Ridge):
    def __init__(self, *, alpha=[1.0]):  # noqa: B006
        self.alpha = alpha


@pytest.mark.parametrize(
    ("faulty", "message"),
    [
        (Positional, "keyword-only"),
        (Works, "store its arguments and stop"),
        (MutableDefault, "changed by accident"),
    ],
)
def test_faulty_constructors_are_found(faulty, message):
    with pytest.raises(AssertionError, match=message):
        checks.check_constructor("faulty", faulty.__new__(faulty))


def documented(text):
    return type("Documented", (Ridge,), {"__doc__": text})()


GOOD = Ridge.__doc__


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "open with a sentence"),
        (GOOD.replace("    >>> ", "    "), "no example"),
        (
            GOOD.replace("    solver : ", "    method : "),
            r"parameters without description: \['solver'\]",
        ),
        (GOOD.replace("    rank_ : int", "    other_ : int"), r"attributes .*: \['rank_'\]"),
        ("A " + "very " * 30 + "long line.", "must be short"),
    ],
)
def test_faulty_docstrings_are_found(text, message):
    with pytest.raises(AssertionError, match=message):
        checks.check_docstring("faulty", documented(text))


def test_a_method_without_docstring_is_found():
    class Undocumented(Ridge):
        __doc__ = Ridge.__doc__

        def extra(self):
            return None

    with pytest.raises(AssertionError, match="extra has no docstring"):
        checks.check_docstring("faulty", Undocumented())


def test_sections_are_split_at_their_underlines():
    found = checks.sections(
        "Title.\n\nBody.\n\nNotes\n-----\nSlow.\n\nExamples\n--------\n>>> 1\n1"
    )
    assert found[""] == "Title.\n\nBody.\n\n"
    assert found["Notes"].strip() == "Slow."
    assert found["Examples"].strip() == ">>> 1\n1"


@pytest.mark.parametrize(
    ("card", "message"),
    [
        (None, "must be a Card"),
        (Card(tasks=()), "no task"),
        (Card(tasks=("classification",)), "classification"),
        (Card(tasks=("regression",), search_space={"beta": [1.0]}), r"names \['beta'\]"),
    ],
)
def test_faulty_cards_are_found(card, message):
    with pytest.raises(AssertionError, match=message):
        checks.check_card("faulty", type("Carded", (Ridge,), {"card": card})())


def test_a_search_space_that_cannot_be_fitted_is_found():
    card = Card(tasks=("regression",), search_space={"alpha": (-1.0, 1.0, "linear")})
    with pytest.raises(ValueError, match="alpha must be"):
        checks.check_card("faulty", type("Carded", (Ridge,), {"card": card})())


class Edits(LogisticRegression):
    """Changes its own fit report."""

    def edit(self, report):
        return report

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.fit_report_ = self.edit(self.fit_report_)
        return self


class NoReport(Edits):
    def edit(self, report):
        return None


class Stalls(Edits):
    def edit(self, report):
        return replace(report, status=Status.STALLED)


class Unproven(Edits):
    def edit(self, report):
        return replace(report, certificate=Certificate("gradient norm", 1.0, 1e-6))


class WrongTrace(Edits):
    def edit(self, report):
        return replace(report, objective=report.objective + 1.0)


@pytest.mark.parametrize(
    ("faulty", "message"),
    [
        (NoReport, "leaves no fit_report_"),
        (Stalls, "stalled"),
        (Unproven, "claims convergence with"),
        (WrongTrace, "tolerance"),
    ],
)
def test_faulty_reports_are_found(faulty, message):
    with pytest.raises(AssertionError, match=message):
        checks.check_fit_report("faulty", faulty())


class Silent(LogisticRegression):
    def fit(self, X, y, sample_weight=None):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return super().fit(X, y, sample_weight)


class Optimist(Edits):
    def edit(self, report):
        return replace(report, status=Status.CONVERGED)


@pytest.mark.parametrize(
    ("faulty", "message"), [(Silent, "in silence"), (Optimist, "converged and warns")]
)
def test_faults_of_a_fit_cut_short_are_found(faulty, message):
    with pytest.raises(AssertionError, match=message):
        checks.check_cut_short("faulty", faulty())
