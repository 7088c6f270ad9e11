"""Each pointer to NumPy, SciPy or scikit-learn has an example that runs and uses that very call."""

import importlib
import re
from pathlib import Path

import pytest
from tools.curriculum import catalogue

from tools import snippets

DOCS = Path(__file__).resolve().parents[2] / "docs"
HEADING = re.compile(r"^## (\w+\.\d\d) · (\S+)$", re.MULTILINE)
POINTERS = {
    row.id: row.served_by for row in catalogue.read(DOCS / "curriculum.csv") if row.served_by
}
PAGES = [p for p in sorted((DOCS / "served_elsewhere").glob("*.md")) if p.stem != "index"]


def sections(page: Path) -> list[tuple[str, str, str]]:
    """Split a page into (id, call, text)."""
    parts = HEADING.split(page.read_text(encoding="utf-8"))[1:]
    return list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_examples_run(page: Path) -> None:
    shared: dict = {}
    for id_, call, text in sections(page):
        assert id_.split(".")[0] == page.stem
        assert call.split(".")[-1] + "(" in text, f"{id_} does not call {call}"
        assert snippets.run(text, id_, shared) > 0, f"{id_} has no example"


def test_pages_and_catalogue_agree() -> None:
    assert {id_: call for page in PAGES for id_, call, _ in sections(page)} == POINTERS


@pytest.mark.parametrize("call", sorted(POINTERS.values()))
def test_call_exists_in_the_base_dependencies(call: str) -> None:
    module, _, name = call.rpartition(".")
    assert module.split(".")[0] in {"numpy", "scipy", "sklearn"}
    assert callable(getattr(importlib.import_module(module), name))
