"""Run the ``>>>`` examples of Markdown pages."""

import doctest
import re
from typing import Any

FENCE = re.compile(r"^ *```.*$", re.MULTILINE)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class SnippetError(AssertionError):
    """An example printed something other than what the page shows."""


def run(text: str, name: str, names: dict[str, Any] | None = None) -> int:
    r"""Run the examples of a Markdown text and return how many there were.

    Parameters
    ----------
    text : str
        The page, or a part of it. Fences are blanked, so line numbers in messages hold.
    name : str
        Shown in messages.
    names : dict, optional
        Variables that the examples see; what they define is added to it.

    Examples
    --------
    >>> run("prose\n```python\n>>> 1 + 2\n3\n```\n", "page")
    1
    """
    test = doctest.DocTestParser().get_doctest(FENCE.sub("", text), names or {}, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    output: list[str] = []
    result = runner.run(test, out=output.append, clear_globs=False)
    if names is not None:
        names.update(test.globs)
    if result.failed:
        raise SnippetError("".join(output))
    return result.attempted
