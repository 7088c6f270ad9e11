"""Formulas as MathML, which browsers draw themselves: no script, no network.

A formula that cannot be converted gives a warning that quotes it, and so ends the build.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any
from xml.etree import ElementTree as ET

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)
# commands that mean the same to readers and are unknown to the converter
PLAIN = {
    r"\\[dt]frac(?![a-zA-Z])": r"\\frac",
    r"\\operatorname\*": r"\\operatorname",
    r"\\[lr]Vert(?![a-zA-Z])": r"\\|",
    r"\\[lr]vert(?![a-zA-Z])": "|",
    r"\\middle\|": r"\\mid ",
    r"\\arg(?![a-zA-Z])": r"\\operatorname{arg}",
    r"\\[Bb]igg?[lr]?(?![a-z])": "",
    r"\{aligned\}": "{align*}",
}
INNERMOST = re.compile(r"\\begin\{(\w+\*?)\}(?:(?!\\begin\{).)*?\\end\{\1\}", re.DOTALL)
SPACE = "http://www.w3.org/1998/Math/MathML"
BELOW = {"min", "max", "sup", "inf", "lim"}
ALPHABETS = {"script": "MATHEMATICAL SCRIPT", "bold": "MATHEMATICAL BOLD"}


def mathml(latex: str, display: str) -> str:
    """One formula as a ``math`` element, ``display`` being ``"inline"`` or ``"block"``."""
    for pattern, words in PLAIN.items():
        latex = re.sub(pattern, words, latex)
    ET.register_namespace("", SPACE)
    math = ET.fromstring(convert(latex, display=display))
    for part in math.iter():
        if display == "block" and part.tag.endswith("}msub") and part[0].text in BELOW:
            part.tag = f"{{{SPACE}}}munder"
        # browsers know letters of other alphabets by their own characters only
        letter = part.text or ""
        alphabet = ALPHABETS.get(part.get("mathvariant", ""))
        if alphabet and len(letter) == 1 and letter.isalpha():
            part.text = _letter(alphabet, letter)
            del part.attrib["mathvariant"]
    return ET.tostring(math, encoding="unicode", short_empty_elements=False)


def aligned(latex: str) -> str:
    """A formula of several lines as an environment, where it is not all in one."""
    outside, inside = latex, ""
    while outside != inside:
        outside, inside = INNERMOST.sub("", outside), outside
    if r"\\" in outside or "&" in outside:
        return rf"\begin{{align*}}{latex}\end{{align*}}"
    return latex


def _letter(alphabet: str, letter: str) -> str:
    size = "CAPITAL" if letter.isupper() else "SMALL"
    for name in (f"{alphabet} {size} {letter.upper()}", f"SCRIPT {size} {letter.upper()}"):
        try:
            return unicodedata.lookup(name)
        except KeyError:
            continue
    return letter


def _written(translator: Any, node: nodes.Element, latex: str, display: str) -> str:
    try:
        return mathml(latex, display)
    except Exception as error:
        logger.warning("formula %r: %r", latex, error, location=node)
        return f"<code>{translator.encode(latex)}</code>"


def visit_inline(translator: Any, node: nodes.math) -> None:
    """Write a formula inside a line."""
    translator.body.append(_written(translator, node, node.astext(), "inline"))
    raise nodes.SkipNode


def visit_block(translator: Any, node: nodes.math_block) -> None:
    """Write a formula on lines of its own, with its number where it has one."""
    latex = aligned(node.astext().strip())
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    if node["number"]:
        translator.body.append(f'<span class="eqno">({node["number"]})</span>')
    translator.body.append(_written(translator, node, latex, "block") + "</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer; ``html_math_renderer = "mathml"`` chooses it."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
