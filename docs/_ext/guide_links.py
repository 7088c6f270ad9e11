"""Links between the guide and the reference, both ways.

A public name of margin that a page of the guide writes as code becomes a link; the page of a name
in the reference says where the guide speaks of it.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import lru_cache
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

import margin

GUIDE = ("user_guide/", "choosing", "quickstart")
IMPORT = re.compile(r"^(?:>>> )?from (margin\.\w+) import \(?([\w, ]+)", re.MULTILINE)
REFERENCE = "api/generated/"


@lru_cache
def public_classes() -> dict[str, str]:
    """Public classes by their bare name, with their full address; ambiguous names are left out."""
    addresses: dict[str, set[str]] = {}
    for package in pkgutil.iter_modules(margin.__path__):
        if package.name.startswith("_") or not package.ispkg:
            continue
        module = importlib.import_module(f"margin.{package.name}")
        for name in getattr(module, "__all__", ()):
            if isinstance(getattr(module, name), type):
                addresses.setdefault(name, set()).add(f"{module.__name__}.{name}")
    return {name: min(homes) for name, homes in addresses.items() if len(homes) == 1}


def read(app: Sphinx, doctree: nodes.document) -> None:
    """Link the names of a page of the guide, and remember which it mentions."""
    page = app.env.docname
    if not page.startswith(GUIDE):
        return
    names = public_classes()
    for literal in list(doctree.findall(nodes.literal)):
        address = names.get(literal.astext())
        if address and not isinstance(literal.parent, nodes.reference | addnodes.pending_xref):
            cross = addnodes.pending_xref(
                "", refdomain="py", reftype="class", reftarget=address, refdoc=page
            )
            cross["refwarn"] = False
            literal.parent.replace(literal, cross)
            cross += literal
    mentions = mentioned(app.env)
    for address in imported(doctree):
        mentions.setdefault(address, {})[page] = True
    for cross in doctree.findall(addnodes.pending_xref):
        if cross.get("refdomain") == "py":
            mentions.setdefault(cross["reftarget"], {})[page] = True


def imported(doctree: nodes.document) -> list[str]:
    """Names of margin that the code of a page imports, with their addresses."""
    imports = IMPORT.findall("\n".join(b.astext() for b in doctree.findall(nodes.literal_block)))
    return [f"{module}.{name}" for module, names in imports for name in re.findall(r"\w+", names)]


def mentioned(env: BuildEnvironment) -> dict[str, dict[str, bool]]:
    """Names of the reference, and pages of the guide that mention them."""
    if not hasattr(env, "guide_mentions"):
        env.guide_mentions = {}
    return env.guide_mentions


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Drop what a page mentioned, before it is read again."""
    for pages in mentioned(env).values():
        pages.pop(docname, None)


def answer(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Say on a page of the reference where the guide speaks of it."""
    pages = sorted(mentioned(app.env).get(docname.removeprefix(REFERENCE), {}))
    title = next(doctree.findall(nodes.title), None)
    if not docname.startswith(REFERENCE) or not pages or title is None:
        return
    words = nodes.paragraph("", "In the guide: ", classes=["guide-links"])
    for i, page in enumerate(pages):
        uri = app.builder.get_relative_uri(docname, page)
        words += nodes.Text(", " if i else "")
        words += nodes.reference("", app.env.titles[page].astext(), refuri=uri, internal=True)
    title.parent.insert(title.parent.index(title) + 1, words)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register what this extension adds to Sphinx."""
    app.connect("doctree-read", read)
    app.connect("env-purge-doc", forget)
    app.connect("doctree-resolved", answer)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
