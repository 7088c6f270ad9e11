"""HTML and SVG as strings in which everything is escaped unless it is markup already."""

from __future__ import annotations

from html import escape
from typing import Any

VOID = frozenset({"br", "circle", "col", "hr", "line", "meta", "path", "polyline", "rect"})


class Markup(str):
    """Text that is markup already and must not be escaped again."""

    __slots__ = ()


def text(value: Any) -> Markup:
    """``value`` as markup: escaped, unless it is :class:`Markup`; ``None`` is nothing.

    Examples
    --------
    >>> text("<b> & co")
    '&lt;b&gt; &amp; co'
    >>> text(Markup("<b>"))
    '<b>'
    """
    if isinstance(value, Markup):
        return value
    return Markup("" if value is None else escape(_printable(str(value))))


def tag(name: str, /, *children: Any, **attributes: Any) -> Markup:
    """One element. Underscores in attribute names become hyphens, a trailing one is dropped.

    Attributes that are ``None`` or ``False`` are left out, ``True`` gives a bare attribute.

    Examples
    --------
    >>> tag("td", "a < b", class_="num", data_row=3)
    '<td class="num" data-row="3">a &lt; b</td>'
    >>> tag("circle", r=2, hidden=None)
    '<circle r="2"/>'
    """
    parts = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        label = key if key == "viewBox" else key.rstrip("_").replace("_", "-")
        parts.append(label if value is True else f'{label}="{escape(_attribute(value))}"')
    opening = " ".join(parts)
    if name in VOID and not children:
        return Markup(f"<{opening}/>")
    return Markup(f"<{opening}>{join(*children)}</{name}>")


def join(*children: Any) -> Markup:
    """Children one after the other; lists are flattened.

    Examples
    --------
    >>> join("a", ["&", None, tag("i", "b")])
    'a&amp;<i>b</i>'
    """
    pieces = []
    for child in children:
        pieces.append(join(*child) if isinstance(child, list | tuple) else text(child))
    return Markup("".join(pieces))


def _attribute(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return _printable(str(value))


def _printable(value: str) -> str:
    """Replace what HTML does not allow: control characters and lone surrogates."""
    if value.isprintable():
        return value
    clean = value.encode("utf-8", "replace").decode("utf-8")
    return "".join(
        c if c.isprintable() or c in "\n\t" or ord(c) > 159 else "\N{REPLACEMENT CHARACTER}"
        for c in clean
    )
