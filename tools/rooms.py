"""Write the tree of packages and rooms, one line each, from their docstrings.

``python -m tools.rooms`` writes ``docs/design/rooms.md``; with ``--check`` it only compares and
exits 1 when the page is out of date or a room does not say what lives in it.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = Path("docs") / "design" / "rooms.md"
HEAD = """# Rooms

One line per package and per room inside it, from the outside in: packages in the order of the
[layers](layers.md), rooms by name. The lines are the first lines of the docstrings; after a change,
`make rooms` writes this page again, and `make lint` tells when that was forgotten.
"""


def line_of(room: Path) -> str:
    """What lives in a package or room: the first line of its docstring.

    Raises
    ------
    ValueError
        If there is no docstring, or the line does not end with a full stop or question mark.
    """
    init = room / "__init__.py"
    text = ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))) or ""
    line = text.partition("\n")[0].strip()
    if not line.endswith((".", "?")):
        raise ValueError(f"{init}: the docstring must begin with a line that says what lives here")
    return line.replace("``", "`")


def rooms(package: Path) -> Iterator[Path]:
    """The rooms of a package by name, each followed by the rooms inside it."""
    for inside in sorted(path.parent for path in package.glob("*/__init__.py")):
        yield inside
        yield from rooms(inside)


def layers(pyproject: Path) -> list[list[str]]:
    """Packages of every layer, top first, as the import contract lists them."""
    settings = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    listed = next(c["layers"] for c in contracts if c["type"] == "layers")
    return [re.findall(r"\w+", layer) for layer in listed]


def page(root: Path) -> str:
    """The page as Markdown: a list per layer."""
    home = root / "src" / "margin"
    blocks = [HEAD]
    for layer in layers(root / "pyproject.toml"):
        lines = []
        for package in (home / name for name in layer if (home / name).is_dir()):
            lines.append(f"- **`{package.name}`** · {line_of(package)}")
            for room in rooms(package):
                depth = len(room.relative_to(package).parts)
                lines.append(f"{'  ' * depth}- `{room.name}` · {line_of(room)}")
        if lines:
            blocks.append("\n".join(lines) + "\n")
    return "\n---\n\n".join(blocks)


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Write the page, or compare it; return the exit status."""
    try:
        text = page(root)
    except ValueError as error:
        print(error)
        return 1
    target = root / PAGE
    if "--check" not in arguments:
        target.write_text(text, encoding="utf-8")
        return 0
    if target.is_file() and target.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE.as_posix()} is out of date: make rooms")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
