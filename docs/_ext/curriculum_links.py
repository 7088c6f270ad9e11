"""Ids of the curriculum, such as ``gp.03``, as links to their row of the curriculum page."""

from __future__ import annotations

import csv
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

PAGE = "curriculum"
ID = re.compile(r"\b[a-z]+\.\d\d\b")
UNTOUCHED = (nodes.reference, nodes.literal, nodes.literal_block, nodes.title, nodes.raw)


@lru_cache
def known_ids(table: Path) -> set[str]:
    """All ids of the curriculum."""
    with table.open(encoding="utf-8", newline="") as stream:
        return {row["id"] for row in csv.DictReader(stream)}


def anchor(identity: str) -> str:
    """Name of the row of an id on the page."""
    return f"row-{identity.replace('.', '-')}"


def name_rows(doctree: nodes.document, known: set[str]) -> None:
    """Give every row of the curriculum page that begins with an id its anchor."""
    for row in doctree.findall(nodes.row):
        match = ID.search(row[0].astext())
        if match and match.group() in known:
            row["ids"].append(anchor(match.group()))


def split(text: str, known: set[str], uri: str) -> list[nodes.Node]:
    """The pieces of a text, ids among them as references."""
    pieces: list[nodes.Node] = []
    end = 0
    for match in ID.finditer(text):
        if match.group() not in known:
            continue
        pieces.append(nodes.Text(text[end : match.start()]))
        target = f"{uri}#{anchor(match.group())}"
        link = nodes.reference("", match.group(), refuri=target, internal=True)
        link["classes"].append("curriculum-id")
        pieces.append(link)
        end = match.end()
    return [*pieces, nodes.Text(text[end:])] if pieces else []


def link(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Turn the ids of a page into links."""
    if app.builder.format != "html":
        return
    known = known_ids(Path(app.srcdir) / "curriculum.csv")
    if docname == PAGE:
        name_rows(doctree, known)
        return
    uri = app.builder.get_relative_uri(docname, PAGE)
    for text in list(doctree.findall(nodes.Text)):
        parent = text.parent
        inside = parent
        while inside is not None and not isinstance(inside, UNTOUCHED):
            inside = inside.parent
        pieces = [] if inside is not None else split(text.astext(), known, uri)
        if pieces:
            parent.replace(text, pieces)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register what this extension adds to Sphinx."""
    app.connect("doctree-resolved", link)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
