"""Run an example as the gallery does, part by part, and tell which pictures come out unfinished.

``python -m tools.gallery examples/linear/plot_lasso_path.py`` ends with an error where the gallery
would show axes with nothing on them: it keeps the figures of a part and closes them, so that what
a later part draws on them is lost. Without names, scripts are read from standard input, a name per
line, and each is answered by a line of JSON: many are quicker so, as the libraries are imported
once.
"""

import ast
import importlib
import json
import os
import re
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

# What most examples import, which takes longer than what they do.
IMPORTED = ("matplotlib.pyplot", "pandas", "scipy.stats", "sklearn.model_selection")
FAMILIES = ("linear", "svm", "gp", "graphical", "sequence", "mixture", "ensemble", "inspection")
PART = re.compile(r"^(?:# ?%%|#{20,}).*$", re.MULTILINE)


def parts(source: str) -> Iterator[str]:
    r"""Parts of a script, each behind as many empty lines as stand before it in the file.

    Examples
    --------
    >>> list(parts("a = 1\n# %%\n# words\nb = 2\n"))
    ['a = 1\n', '\n# %%\n# words\nb = 2\n']
    """
    marks = [match.start() for match in PART.finditer(source)]
    for start, stop in zip([0, *marks], [*marks, len(source)], strict=True):
        yield "\n" * source.count("\n", 0, start) + source[start:stop]


def faults(path: Path) -> list[str]:
    """Run the script; name every axes that its part leaves empty, or that is drawn on later."""
    import matplotlib.pyplot as plt

    shown: list[tuple[int, Any, list[int]]] = []
    unfinished = []
    scene = ModuleType("__main__")
    scene.__file__ = str(path)
    sys.modules["__main__"] = scene
    for number, part in enumerate(parts(path.read_text(encoding="utf-8"))):
        tree = ast.parse(part, str(path))
        exec(compile(tree, str(path), "exec"), scene.__dict__)
        for identity in plt.get_fignums():
            figure = plt.figure(identity)
            where = f"part {number}, figure {identity}"
            unfinished += [f"{where}: {_name(ax)} is empty" for ax in figure.axes if is_empty(ax)]
            shown.append((number, figure, [len(ax.get_children()) for ax in figure.axes]))
        plt.close("all")
    for number, figure, before in shown:
        if [len(ax.get_children()) for ax in figure.axes] != before:
            unfinished.append(f"part {number}: its figure is drawn on after it was shown")
    return unfinished


def is_empty(ax: Any) -> bool:
    """Whether axes that are not switched off show nothing: no mark, no picture, no words."""
    drawn = ax.has_data() or ax.texts or ax.tables or ax.artists or ax.child_axes
    return bool(ax.get_visible() and ax.axison and not drawn)


def _name(ax: Any) -> str:
    return f"“{ax.get_title() or ax.get_xlabel() or 'axes without a title'}”"


def apart(name: str) -> tuple[int, str]:
    """Run a script in a copy of this process, which it cannot change: its status, what it said."""
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.dup2(said.fileno(), 1)
                os.dup2(said.fileno(), 2)
                code = check([name])
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        said.seek(0)
        return os.waitstatus_to_exitcode(status), said.read().decode("utf-8", "replace")


def serve(names: Iterator[str]) -> None:
    """Answer every script named on standard input with its status and words, as a line of JSON."""
    for module in (*IMPORTED, *(f"margin.{family}" for family in FAMILIES)):
        importlib.import_module(module)
    # threads that an import has left behind are of no use to a copy, and do it no harm
    warnings.filterwarnings("ignore", "(?s).*multi-threaded.*fork", DeprecationWarning)
    for name in names:
        sys.stdout.write(json.dumps(apart(name.strip())) + "\n")
        sys.stdout.flush()


def check(names: Sequence[str]) -> int:
    """Run every script named; 1 where a picture is unfinished."""
    code = 0
    for name in names:
        for fault in faults(Path(name)):
            print(f"{name}: {fault}", file=sys.stderr)
            code = 1
    return code


def main(arguments: Sequence[str]) -> int:
    """Run the scripts named, or serve those who name them later."""
    if arguments:
        return check(arguments)
    serve(iter(sys.stdin))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
