"""What our extensions add to Sphinx: links, pictures and formulas, on small documents."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from xml.etree import ElementTree as ET

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import directives

pytest.importorskip("sphinx")

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


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


def page(docname: str, *parts: nodes.Node) -> tuple[SimpleNamespace, nodes.document]:
    """A document, and an application that reads it."""
    env = SimpleNamespace(docname=docname, titles={})
    builder = SimpleNamespace(get_relative_uri=lambda here, there: f"{here} to {there}")
    document = nodes.document(None, None)
    document += nodes.section("", nodes.title("", "Ridge"), *parts)
    return SimpleNamespace(env=env, builder=builder), document


def test_public_classes_have_one_address() -> None:
    addresses = extension("guide_links").public_classes()
    assert addresses["Ridge"] == "margin.linear.Ridge"
    assert addresses["PAG"] == "margin.graphs.PAG"
    assert "Poisson" not in addresses, "a loss and a law have this name"
    assert "kernels" not in addresses


def test_names_of_classes_in_the_guide_become_links() -> None:
    links = extension("guide_links")
    linked = nodes.reference("", "", nodes.literal("", "Lasso"), refuri="elsewhere")
    text = nodes.paragraph("", "", nodes.literal("", "Ridge"), nodes.literal("", "alpha"), linked)
    app, document = page("user_guide/linear", text)
    links.read(app, document)
    cross, plain, before = text.children
    assert cross["reftarget"] == "margin.linear.Ridge"
    assert cross.astext() == "Ridge"
    assert isinstance(plain, nodes.literal)
    assert before is linked
    assert isinstance(linked[0], nodes.literal)
    assert links.mentioned(app.env) == {"margin.linear.Ridge": {"user_guide/linear": True}}
    links.read(app, document)
    assert text[0] is cross, "a second reading changes nothing"
    links.forget(app, app.env, "user_guide/linear")
    assert links.mentioned(app.env) == {"margin.linear.Ridge": {}}


def test_names_that_the_code_of_a_page_imports_are_mentioned() -> None:
    links = extension("guide_links")
    code = ">>> from margin.linear import Lasso, Ridge\n>>> from numpy import ndarray\n>>> Ridge()"
    app, document = page("user_guide/linear", nodes.literal_block(code, code))
    links.read(app, document)
    spoken = {"user_guide/linear": True}
    assert links.mentioned(app.env) == dict.fromkeys(
        ("margin.linear.Lasso", "margin.linear.Ridge"), spoken
    )


def test_pages_beside_the_guide_are_left_as_they_are() -> None:
    links = extension("guide_links")
    text = nodes.paragraph("", "", nodes.literal("", "Ridge"))
    app, document = page("benchmarks", text)
    links.read(app, document)
    assert isinstance(text[0], nodes.literal)
    assert links.mentioned(app.env) == {}


def test_the_reference_says_where_the_guide_speaks_of_a_class() -> None:
    links = extension("guide_links")
    here = "api/generated/margin.linear.Ridge"
    app, document = page(here, nodes.paragraph("", "What it is."))
    app.env.titles = {name: nodes.title("", name.upper()) for name in ("choosing", "quickstart")}
    links.answer(app, document, here)
    assert len(document[0].children) == 2, "nobody speaks of it"
    links.mentioned(app.env)["margin.linear.Ridge"] = {"quickstart": True, "choosing": True}
    links.answer(app, document, here)
    words = document[0][1]
    assert words.astext() == "In the guide: CHOOSING, QUICKSTART"
    uris = [link["refuri"] for link in words.findall(nodes.reference)]
    assert uris == [f"{here} to choosing", f"{here} to quickstart"]


@pytest.mark.parametrize(("given", "number"), [("", 1), (" 2", 2)])
def test_a_picture_of_the_gallery_leads_to_its_example(given: str, number: int) -> None:
    directives.register_directive("gallery", extension("gallery_pictures").GalleryPicture)
    noted: list[str] = []
    env = SimpleNamespace(
        docname="user_guide/linear",
        note_dependency=noted.append,
        relfn2path=lambda name: (name.lstrip("/"), f"/somewhere{name}"),
    )
    source = (
        f".. gallery:: linear/plot_lasso_path{given}\n\n   Coefficients *enter*\n   one by one.\n"
    )
    document = publish_doctree(source, settings_overrides={"env": env})
    (figure,) = document.findall(nodes.figure)
    (picture,) = figure.findall(nodes.image)
    path = "/auto_examples/linear/images/sphx_glr_plot_lasso_path"
    assert picture["uri"] == f"{path}_{number:03d}.png"
    assert picture["alt"] == "Coefficients enter one by one."
    (link,) = figure.findall(nodes.reference)
    assert link["refuri"] == "../auto_examples/linear/plot_lasso_path.html"
    (caption,) = figure.findall(nodes.caption)
    assert isinstance(next(caption.findall(nodes.emphasis)), nodes.emphasis)
    assert noted == ["auto_examples/linear/plot_lasso_path.py"]


SPACE = "http://www.w3.org/1998/Math/MathML"


@pytest.fixture
def formulas(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The renderer over a converter that wraps what it is given, or breaks."""

    def convert(latex: str, display: str) -> str:
        if latex == "broken":
            raise KeyError(latex)
        return f'<math xmlns="{SPACE}" display="{display}">{latex}</math>'

    converter = ModuleType("latex2mathml.converter")
    converter.convert = convert
    monkeypatch.setitem(sys.modules, "latex2mathml", ModuleType("latex2mathml"))
    monkeypatch.setitem(sys.modules, "latex2mathml.converter", converter)
    return extension("mathml")


@pytest.mark.parametrize(
    ("written", "converted"),
    [
        (r"\dfrac12 \tfrac12", r"\frac12 \frac12"),
        (r"\lVert x \rVert", r"\| x \|"),
        (r"\arg\max", r"\operatorname{arg}\max"),
        (r"\argument", r"\argument"),
        (r"\bigl( \Bigr)", "( )"),
        (r"\bigcup", r"\bigcup"),
    ],
)
def test_commands_are_told_in_words_of_the_converter(formulas, written, converted) -> None:
    assert ET.fromstring(formulas.mathml(written, "inline")).text == converted


def test_limits_stand_below_in_lines_of_their_own_only(formulas) -> None:
    latex = "<msub><mi>min</mi><mi>x</mi></msub><msub><mi>a</mi><mi>i</mi></msub>"
    tags = {
        display: [part.tag.split("}")[1] for part in ET.fromstring(formulas.mathml(latex, display))]
        for display in ("block", "inline")
    }
    assert tags == {"block": ["munder", "msub"], "inline": ["msub", "msub"]}


def test_letters_of_other_alphabets_are_characters_of_their_own(formulas) -> None:
    latex = "".join(
        f'<mi mathvariant="{kind}">{letter}</mi>'
        for kind, letter in (("script", "N"), ("script", "L"), ("bold", "x"), ("bold", "12"))
    )
    parts = list(ET.fromstring(formulas.mathml(latex, "inline")))
    # The script L is older than the alphabet that it now belongs to.
    assert [part.text for part in parts] == ["𝒩", "ℒ", "𝐱", "12"]
    assert [part.get("mathvariant") for part in parts] == [None, None, None, "bold"]


class Translator:
    """What writes a page."""

    def __init__(self) -> None:
        self.body: list[str] = []

    def starttag(self, node: nodes.Node, tag: str, **attributes: str) -> str:
        return f'<{tag} class="{attributes["CLASS"]}">'

    def encode(self, text: str) -> str:
        return text.replace("<", "&lt;")


def test_formulas_are_written_into_the_page(formulas) -> None:
    translator = Translator()
    with pytest.raises(nodes.SkipNode):
        formulas.visit_inline(translator, nodes.math("", "x"))
    block = nodes.math_block("", r"a &amp;= b \\ c &amp;= d", number=3)
    with pytest.raises(nodes.SkipNode):
        formulas.visit_block(translator, block)
    inline, start, number, formula = translator.body
    assert inline == f'<math xmlns="{SPACE}" display="inline">x</math>'
    assert (start, number) == ('<div class="math">', '<span class="eqno">(3)</span>')
    assert r"\begin{align*}a &amp;= b" in formula
    assert formula.endswith(r"\end{align*}</math></div>" + "\n")


def test_a_formula_that_cannot_be_converted_is_quoted_in_a_warning(formulas, monkeypatch) -> None:
    told: list[str] = []
    warning = lambda text, *given, location: told.append(text % given)  # noqa: E731
    monkeypatch.setattr(formulas, "logger", SimpleNamespace(warning=warning))
    translator = Translator()
    with pytest.raises(nodes.SkipNode):
        formulas.visit_inline(translator, nodes.math("", "broken"))
    assert translator.body == ["<code>broken</code>"]
    assert told == ["formula 'broken': KeyError('broken')"]


def test_formulas_of_the_pages_can_be_converted() -> None:
    pytest.importorskip("latex2mathml")
    formulas = extension("mathml")
    written = formulas.mathml(r"\min_{w} \tfrac12 \lVert w \rVert^2 + \mathcal{L}(w)", "block")
    assert "<munder>" in written
    assert "ℒ" in written


@pytest.mark.parametrize(
    ("latex", "several"),
    [
        (r"a &= b \\ c &= d", True),
        (r"a &= \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} \\ c &= d", True),
        (r"A = \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", False),
        (r"\begin{aligned} a &= \begin{cases} 1 & b \\ 2 & c \end{cases} \end{aligned}", False),
        (r"a = b", False),
    ],
)
def test_lines_are_aligned_outside_of_environments(formulas, latex, several) -> None:
    assert formulas.aligned(latex) == (
        rf"\begin{{align*}}{latex}\end{{align*}}" if several else latex
    )
