"""A short account of a comparison for a prompt and for a notebook: title, sentences, a table."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH = 79


@dataclass(frozen=True)
class Account:
    """A title, sentences below it, and a table whose first column is a name.

    Parameters
    ----------
    title : str
        What was compared.
    sentences : sequence of str
        What is to be said first.
    head : sequence of str
        Names of the columns.
    rows : sequence of sequences of str
        One per line of the table.
    rest : int
        Rows that are not shown.

    Examples
    --------
    >>> print(Account("Title", ["Said."], ["model", "score"], [["Ridge", "0.5"]], 2).text())
    Title
    Said.
    <BLANKLINE>
      model  score
      Ridge    0.5
      … 2 more
    """

    title: str
    sentences: Sequence[str]
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    rest: int = 0

    def text(self) -> str:
        """The account on lines of at most 79 characters, names longer than a line apart."""
        lines = [self.title]
        for words in self.sentences:
            lines += textwrap.wrap(words, WIDTH, break_long_words=False)
        lines.append("")
        table = [self.head, *self.rows]
        widths = [max(len(row[j]) for row in table) for j in range(len(self.head))]
        for row in table:
            cells = [row[0].ljust(widths[0])]
            cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
            lines.append("  " + "  ".join(cells).rstrip())
        return "\n".join([*lines, *([f"  … {self.rest} more"] if self.rest else [])])

    def html(self) -> str:
        """The account for a notebook, in its own colours and fonts."""
        said = "".join(f"<p style='margin:.3em 0'>{escape(words)}</p>" for words in self.sentences)
        head = "".join(_cell("th", name, j) for j, name in enumerate(self.head))
        body = "".join(
            f"<tr>{''.join(_cell('td', value, j) for j, value in enumerate(row))}</tr>"
            for row in self.rows
        )
        more = f"<p style='margin:.3em 0'>… {self.rest} more</p>" if self.rest else ""
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f"<div><b>{escape(self.title)}</b>{said}{table}{more}</div>"


def _cell(kind: str, value: str, column: int) -> str:
    side = "right" if column else "left"
    return f"<{kind} style='text-align:{side};padding:.2em .7em'>{escape(value)}</{kind}>"
