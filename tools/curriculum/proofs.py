"""Which test proves which id, and which example shows it."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeGuard

from tools.curriculum.ids import IdPattern

Function = ast.FunctionDef | ast.AsyncFunctionDef
SKIPPED = {"tools"}  # tests of these tools name ids without proving anything


def proofs(tests: Path, find: IdPattern) -> dict[str, list[str]]:
    """Map ids to pytest node ids such as ``linalg/test_cholesky.py::test_solve``.

    An id belongs to a test when it stands in the test's body, docstring or decorators, in the
    comment right above it, or in a module constant that its decorators use. An id in the docstring
    of a test class belongs to the class.
    """
    proofs: dict[str, list[str]] = defaultdict(list)
    for path in sorted(tests.rglob("test_*.py")):
        relative = path.relative_to(tests)
        if relative.parts[0] in SKIPPED:
            continue
        for name, text in _tests(path.read_text(encoding="utf-8")):
            for id_ in sorted(find(text)):
                proofs[id_].append(f"{relative.as_posix()}::{name}")
    return dict(proofs)


def shown(examples: Path, find: IdPattern) -> dict[str, list[str]]:
    """Map ids to the examples that mention them, as paths relative to ``examples``."""
    pages: dict[str, list[str]] = defaultdict(list)
    for path in sorted(examples.rglob("plot_*.py")):
        for id_ in sorted(find(path.read_text(encoding="utf-8"))):
            pages[id_].append(path.relative_to(examples).as_posix())
    return dict(pages)


def mentioned(folders: Iterable[Path], find: IdPattern) -> dict[str, list[str]]:
    """Map every id written anywhere in the Python files of ``folders`` to those files."""
    files: dict[str, list[str]] = defaultdict(list)
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            if path.relative_to(folder).parts[0] not in SKIPPED:
                for id_ in find(path.read_text(encoding="utf-8")):
                    files[id_].append(path.as_posix())
    return dict(files)


def _tests(source: str) -> Iterator[tuple[str, str]]:
    tree, lines = ast.parse(source), source.splitlines()
    constants = {
        target.id: ast.get_source_segment(source, node) or ""
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield node.name, ast.get_docstring(node) or ""
            for method in node.body:
                if _is_test(method):
                    yield f"{node.name}::{method.name}", _text(method, lines, constants)
        elif _is_test(node):
            yield node.name, _text(node, lines, constants)


def _is_test(node: ast.stmt) -> TypeGuard[Function]:
    return isinstance(node, Function) and node.name.startswith("test")


def _text(node: Function, lines: list[str], constants: dict[str, str]) -> str:
    """Return what belongs to a test: comment above, decorators, body, constants of decorators."""
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    start = first - 1
    while start > 0 and lines[start - 1].lstrip().startswith("#"):
        start -= 1
    names = {n.id for d in node.decorator_list for n in ast.walk(d) if isinstance(n, ast.Name)}
    shared = [constants[name] for name in sorted(names & constants.keys())]
    return "\n".join([*lines[start : node.end_lineno], *shared])
