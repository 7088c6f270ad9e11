"""The pages hold together: pictures exist, every model has its place in the guide."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from docutils import nodes

from margin.testing import all_estimators

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GUIDE = [*sorted((DOCS / "user_guide").glob("*.md")), DOCS / "choosing.md", DOCS / "quickstart.md"]
EXAMPLES = sorted((ROOT / "examples").rglob("plot_*.py"))
PICTURE = re.compile(r"^:::\{gallery\} (\S+)(?: (\d+))?$", re.MULTILINE)
FAMILIES = {
    "boosting", "ensembles", "gp", "graphical", "inspection", "kernels", "linear", "neighbors",
    "structure_learning", "svm", "tree",
}  # fmt: skip


@pytest.mark.parametrize("page", GUIDE, ids=lambda p: p.stem)
def test_pictures_are_those_of_examples(page: Path) -> None:
    for example, number in PICTURE.findall(page.read_text(encoding="utf-8")):
        script = ROOT / "examples" / f"{example}.py"
        assert script.is_file(), example
        figures = re.findall(r"plt\.(?:subplots|figure)\(|\.plot\w*\(", script.read_text("utf-8"))
        assert int(number or 1) <= len(figures), example


def test_every_family_shows_a_picture_and_says_when_it_fails() -> None:
    for name in FAMILIES:
        page = (DOCS / "user_guide" / f"{name}.md").read_text(encoding="utf-8")
        assert PICTURE.search(page), name
        assert re.search(r"^## When .*(fail|mislead)", page, re.MULTILINE), name


def test_every_model_has_its_place_in_the_guide() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in GUIDE)
    absent = [name for name, _ in all_estimators() if not re.search(rf"\b{name}\b", text)]
    assert absent == []


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda p: p.stem)
def test_titles_begin_with_what_is_shown(script: Path) -> None:
    title, rule = script.read_text(encoding="utf-8").split("\n")[1:3]
    assert set(rule) == {"="}
    assert len(rule) == len(title)
    assert len(title) <= 80


def test_every_package_is_in_the_reference() -> None:
    listed = (DOCS / "api" / "index.md").read_text(encoding="utf-8").split()
    hidden = {"cli", "native"}
    packages = {p.parent.name for p in (ROOT / "src" / "margin").glob("*/__init__.py")} - hidden
    assert sorted(name for name in packages if f"margin.{name}" not in listed) == []


def extension(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, DOCS / "_ext" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_ids_of_the_curriculum_become_links_to_their_rows() -> None:
    links = extension("curriculum_links")
    known = links.known_ids(DOCS / "curriculum.csv")
    assert "gp.03" in known
    pieces = links.split("smoothed (gp.03), version 2.10 and foo.99", known, "../curriculum.html")
    (link,) = [piece for piece in pieces if isinstance(piece, nodes.reference)]
    assert link["refuri"] == "../curriculum.html#row-gp-03"
    assert "".join(p.astext() for p in pieces) == "smoothed (gp.03), version 2.10 and foo.99"
    assert links.split("nothing here", known, "") == []


def test_rows_of_the_curriculum_get_their_anchors() -> None:
    links = extension("curriculum_links")
    document = nodes.document(None, None)
    row = nodes.row("", nodes.entry("", nodes.paragraph("", "● gp.03")))
    document += row
    links.name_rows(document, {"gp.03"})
    assert row["ids"] == ["row-gp-03"]
