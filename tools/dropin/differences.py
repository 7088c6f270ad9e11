"""The differences from scikit-learn that we chose, and what they explain."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from tools.dropin.defaults import sections

CHOSEN = Path(__file__).with_name("chosen")
LEAST_PASSING_OR_LISTED = 0.97
MOST_LISTED = 0.05

HEAD = """\
# Coming from scikit-learn

Change the import, keep the rest: margin's estimators take the parameters of their namesakes, by
position too, and have their methods and attributes. That is tested with scikit-learn's own tests
(`make dropin`). What differs, differs on purpose. A change of the list is brought here by
`make differences`.
"""

Outcome = dict[str, Any]


@dataclass(frozen=True)
class Difference:
    """One thing that margin does differently on purpose.

    Parameters
    ----------
    title : str
        The difference in a few words.
    reason : str
        Why, in one line.
    tests : tuple of str
        Tests of scikit-learn that hold the other behaviour, as shell patterns.
    error : str
        What the failure must say, as a regular expression; a test that fails otherwise is not
        explained.
    family : str
        The models it concerns.
    """

    title: str
    reason: str
    tests: tuple[str, ...]
    error: str = ""
    family: str = ""

    def explains(self, outcome: Outcome) -> bool:
        """Whether a failure is this difference and nothing else.

        Examples
        --------
        >>> words = Difference("Messages", "they name the class", ("svm/*",), "Regex pattern")
        >>> words.explains({"test": "svm/tests/test_svm.py::test_x", "error": "Regex pattern …"})
        True
        """
        # Brackets of parametrised tests are meant as they are.
        named = any(
            fnmatchcase(outcome["test"], pattern.replace("[", "[[]")) for pattern in self.tests
        )
        return named and re.search(self.error, outcome.get("error", ""), re.DOTALL) is not None


@dataclass(frozen=True)
class Verdict:
    """How far margin can stand in for scikit-learn."""

    passing: tuple[Outcome, ...]
    listed: tuple[tuple[Difference, Outcome], ...]
    unexplained: tuple[Outcome, ...]
    idle: tuple[Difference, ...]

    @property
    def passed(self) -> int:
        """Tests that pass."""
        return len(self.passing)

    @property
    def total(self) -> int:
        """Tests that touch margin."""
        return self.passed + len(self.listed) + len(self.unexplained)

    @property
    def good(self) -> bool:
        """Whether enough tests pass or are explained, and few enough need explaining."""
        explained = (self.passed + len(self.listed)) / max(self.total, 1)
        return explained >= LEAST_PASSING_OR_LISTED and len(self.listed) <= MOST_LISTED * self.total

    def table(self) -> str:
        """Counts and seconds of every file, as lines of text."""
        rows: dict[str, list[float]] = {}
        kinds = (self.passing, [o for _, o in self.listed], self.unexplained)
        for place, outcomes in enumerate(kinds):
            for outcome in outcomes:
                row = rows.setdefault(outcome["test"].split("::")[0], [0, 0, 0, 0.0])
                row[place] += 1
                row[3] += outcome.get("seconds", 0.0)
        head = f"{'file':<64}{'pass':>6}{'listed':>8}{'fail':>6}{'seconds':>9}"
        body = [
            f"{name:<64}{passed:>6}{listed:>8}{failed:>6}{seconds:>9.1f}"
            for name, (passed, listed, failed, seconds) in sorted(rows.items())
        ]
        return "\n".join([head, *body])

    def __str__(self) -> str:
        share = (self.passed + len(self.listed)) / max(self.total, 1)
        return (
            f"{self.total} tests touch margin: {self.passed} pass, {len(self.listed)} differ on "
            f"purpose, {len(self.unexplained)} fail; {100 * share:.1f} % pass or are explained"
        )


def read(folder: Path = CHOSEN) -> list[Difference]:
    """Return the chosen differences: one file per family, by name."""
    return [
        Difference(d["title"], d["reason"], tuple(d["tests"]), d.get("error", ""), chosen["family"])
        for path in sorted(folder.glob("*.toml"))
        for chosen in [{"family": path.stem.capitalize()} | tomllib.loads(path.read_text("utf-8"))]
        for d in chosen.get("difference", [])
    ]


def judge(outcomes: Iterable[Outcome], differences: Iterable[Difference]) -> Verdict:
    """Sort outcomes into those that pass, that differ on purpose, and that fail."""
    chosen = list(differences)
    passing, listed, unexplained = [], [], []
    for outcome in outcomes:
        if outcome["outcome"] == "passed":
            passing.append(outcome)
            continue
        reasons = [d for d in chosen if d.explains(outcome)]
        if reasons:
            listed.append((reasons[0], outcome))
        else:
            unexplained.append(outcome)
    used = {d for d, _ in listed}
    idle = tuple(d for d in chosen if d not in used)
    return Verdict(tuple(passing), tuple(listed), tuple(unexplained), idle)


def page(differences: Iterable[Difference]) -> str:
    """Return the documentation of the differences, as Markdown: a table per family."""
    families: dict[str, list[str]] = {}
    for d in differences:
        families.setdefault(d.family, []).append(f"| {d.title} | {d.reason} |")
    lines = [*HEAD.splitlines(), *sections()]
    for family in sorted(families):
        lines += ["", f"## {family}", "", "| difference | why |", "| --- | --- |"]
        lines += families[family]
    return "\n".join([*lines, ""])
