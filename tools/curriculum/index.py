"""Join the catalogue with claims, proofs and examples, and judge the result."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from tools.curriculum import catalogue, proofs, sources
from tools.curriculum.catalogue import Capability
from tools.curriculum.ids import IdPattern

HEADING = re.compile(r"^## (\w+\.\d\d)\b", re.MULTILINE)


@dataclass(frozen=True)
class Entry:
    """A capability with everything that is known about it."""

    capability: Capability
    where: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)

    @property
    def status(self) -> str:
        """``margin`` (claimed and proved), ``elsewhere``, ``unproved`` or ``open``."""
        if self.where:
            return "margin" if self.tests else "unproved"
        return "elsewhere" if self.capability.served_by else "open"


@dataclass(frozen=True)
class Index:
    """All entries, in the order of the catalogue, and what is wrong with them."""

    entries: list[Entry]
    problems: list[str]

    def packages(self) -> dict[str, list[Entry]]:
        """Return the entries grouped by package, in the order of the catalogue."""
        groups: dict[str, list[Entry]] = {}
        for entry in self.entries:
            groups.setdefault(entry.capability.package, []).append(entry)
        return groups


def build(root: Path) -> Index:
    """Scan the repository at ``root``."""
    rows = catalogue.read(root / "docs" / "curriculum.csv")
    find = IdPattern(catalogue.packages(rows))
    claims = sources.claims(sources.load(root / "src"), find)
    tests = proofs.proofs(root / "tests", find)
    examples = proofs.shown(root / "examples", find)

    entries = [
        Entry(row, claims.get(row.id, []), tests.get(row.id, []), examples.get(row.id, []))
        for row in rows
    ]
    folders = [root / "src", root / "tests", root / "examples"]
    written = proofs.mentioned(folders, find)
    problems = _unknown(rows, written, root) + _unproved(entries) + _pointers(rows, root)
    return Index(entries, problems)


def _unknown(rows: list[Capability], written: dict[str, list[str]], root: Path) -> list[str]:
    known = {row.id for row in rows}
    return [
        f"{id_}: unknown id in {Path(path).relative_to(root)}"
        for id_ in sorted(written.keys() - known)
        for path in written[id_]
    ]


def _unproved(entries: list[Entry]) -> list[str]:
    return [
        f"{e.capability.id}: claimed by {', '.join(e.where)} but no test names it"
        for e in entries
        if e.status == "unproved"
    ]


def _pointers(rows: list[Capability], root: Path) -> list[str]:
    """Compare ``served_by`` with the headings of ``docs/served_elsewhere``, both ways."""
    pointed = {row.id for row in rows if row.served_by}
    headed: set[str] = set()
    for page in (root / "docs" / "served_elsewhere").glob("*.md"):
        headed |= set(HEADING.findall(page.read_text(encoding="utf-8")))
    absent = [
        f"{id_}: served_by without a heading in docs/served_elsewhere" for id_ in pointed - headed
    ]
    stray = [
        f"{id_}: heading in docs/served_elsewhere without served_by" for id_ in headed - pointed
    ]
    return sorted(absent + stray)
