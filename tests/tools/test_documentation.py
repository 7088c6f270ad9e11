"""The pages hold together: pictures exist, every model has its place in the guide."""

import re
from pathlib import Path

import pytest

from margin.testing import all_estimators

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GUIDE = [*sorted((DOCS / "user_guide").glob("*.md")), DOCS / "choosing.md", DOCS / "quickstart.md"]
EXAMPLES = sorted((ROOT / "examples").rglob("plot_*.py"))
PICTURE = re.compile(r"^:::\{gallery\} (\S+)(?: (\d+))?$", re.MULTILINE)
# A heading, or a word in bold where a page tells it of each of its models.
FAILURE = re.compile(r"^##+ When .*(fail|mislead)|^\*\*When it fails|\*\*Fails\*\*", re.MULTILINE)
FAMILIES = [page for page in sorted((DOCS / "user_guide").glob("*.md")) if page.stem != "index"]


@pytest.mark.parametrize("page", GUIDE, ids=lambda p: p.stem)
def test_pictures_are_those_of_examples(page: Path) -> None:
    for example, number in PICTURE.findall(page.read_text(encoding="utf-8")):
        script = ROOT / "examples" / f"{example}.py"
        assert script.is_file(), example
        figures = re.findall(r"plt\.(?:subplots|figure)\(|\.plot\w*\(", script.read_text("utf-8"))
        assert int(number or 1) <= len(figures), example


@pytest.mark.parametrize("page", FAMILIES, ids=lambda p: p.stem)
def test_every_family_shows_a_picture_and_says_when_it_fails(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert PICTURE.search(text)
    assert FAILURE.search(text)


def test_every_page_of_the_guide_is_in_its_contents() -> None:
    listed = (DOCS / "user_guide" / "index.md").read_text(encoding="utf-8").split()
    assert [page.stem for page in FAMILIES if page.stem not in listed] == []


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
