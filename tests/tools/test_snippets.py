"""Every snippet of the documentation gives the output it shows."""

from pathlib import Path

import pytest

from tools import snippets

DOCS = Path(__file__).resolve().parents[2] / "docs"
GENERATED = {"_build", "auto_examples", "generated", "served_elsewhere"}
PAGES = [p for p in sorted(DOCS.rglob("*.md")) if not GENERATED & set(p.relative_to(DOCS).parts)]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(DOCS).as_posix())
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    snippets.run(page.read_text(encoding="utf-8"), page.name)


def test_wrong_output_is_reported() -> None:
    with pytest.raises(snippets.SnippetError, match=r"(?s)page.*line 3.*Expected:\n +4\nGot:\n +3"):
        snippets.run("text\n```python\n>>> 1 + 2\n4\n```\n", "page")


def test_closing_fence_is_not_expected_output() -> None:
    assert snippets.run("```python\n>>> 1 + 2\n3\n```\nprose", "page") == 1


def test_names_are_shared_on_request() -> None:
    names: dict = {}
    snippets.run(">>> a = 1", "first", names)
    assert snippets.run(">>> a\n1", "second", names) == 1
    with pytest.raises(snippets.SnippetError):
        snippets.run(">>> a\n1", "alone")
