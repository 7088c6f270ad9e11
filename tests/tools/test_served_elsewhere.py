"""Each pointer to NumPy, SciPy or scikit-learn has an example that runs and uses that very call."""

import importlib
import re
from pathlib import Path

import pytest

from tools import snippets
from tools.curriculum import catalogue

DOCS = Path(__file__).resolve().parents[2] / "docs"
HEADING = re.compile(r"^## (\w+\.\d\d) · (.+)$", re.MULTILINE)
ROWS = catalogue.read(DOCS / "curriculum.csv")
POINTERS = {row.id: row.calls for row in ROWS if row.calls}
PAGES = [p for p in sorted((DOCS / "served_elsewhere").glob("*.md")) if p.stem != "index"]


def sections(page: Path) -> list[tuple[str, list[str], str]]:
    """Split a page into (id, calls, text)."""
    parts = HEADING.split(page.read_text(encoding="utf-8"))[1:]
    calls = [heading.split(", ") for heading in parts[1::3]]
    return list(zip(parts[::3], calls, parts[2::3], strict=True))


def code(text: str) -> str:
    """Keep the lines that Python runs."""
    return "\n".join(line for line in text.splitlines() if line.startswith((">>>", "...")))


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_examples_run(page: Path) -> None:
    shared: dict = {}
    for id_, calls, text in sections(page):
        assert id_.split(".")[0] == page.stem
        unused = [call for call in calls if call.split(".")[-1] not in code(text)]
        assert not unused, f"{id_} does not use {unused}"
        assert snippets.run(text, id_, shared) > 0, f"{id_} has no example"


def test_pages_and_catalogue_agree() -> None:
    assert {id_: calls for page in PAGES for id_, calls, _ in sections(page)} == POINTERS


@pytest.mark.parametrize("call", sorted(c for calls in POINTERS.values() for c in calls))
def test_call_exists_in_the_base_dependencies(call: str) -> None:
    module, _, name = call.rpartition(".")
    assert module.split(".")[0] in {"numpy", "scipy", "sklearn"}
    assert callable(getattr(importlib.import_module(module), name))
