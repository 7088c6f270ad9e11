"""Check what keeps the house readable and no linter knows.

- A folder shows at most ``MOST_MODULES`` modules; a larger package is divided into rooms.
- A function never stores an attribute on what it was given: only a class writes on itself.
- Modules of margin are imported at the top, not inside functions (but for the command line).
- One driver: nobody but ``core.iterate`` and what runs whole models handles Ctrl-C.
- A local says what it is: none is called ``found`` or ``made``.
- A compiled function takes fewer than ten arguments, or structs whose fields are named where they
  are made. What is bound to Python is the border: its keywords are the names.

Run as ``python tools/house.py``; exits 1 with the list of what is wrong.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST_MODULES = 22
EMPTY_NAMES = {"found", "made"}
MOST_ARGUMENTS = 9
HANDLE_CTRL_C = {("core", "iteration"), ("evaluation",), ("cli",)}
_KEYWORDS = {"if", "for", "while", "switch", "return", "catch", "sizeof", "decltype"}
_NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_NAME = re.compile(r"([A-Za-z_]\w*)\s*\(")
_BODY = re.compile(r"\s*(const)?\s*(noexcept)?\s*(->[^;{}]*)?(:[^:;][^;{}]*)?\{")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def crowded(folder: Path) -> Iterator[str]:
    """Yield the folders below ``folder`` (itself included) that show too many modules."""
    for place in (folder, *sorted(p for p in folder.rglob("*") if p.is_dir())):
        modules = [p for p in place.iterdir() if p.suffix in {".py", ".cpp", ".hpp"}]
        if len(modules) > MOST_MODULES:
            yield f"{place}: {len(modules)} modules, at most {MOST_MODULES}; divide it into rooms"


def stores(tree: ast.Module) -> Iterator[tuple[int, str]]:
    r"""Yield line and function of every attribute that is stored on a parameter.

    Examples
    --------
    >>> list(stores(ast.parse("def fit(model, X):\n    model.coef_ = X")))
    [(2, 'fit stores model.coef_')]
    >>> list(stores(ast.parse("def fit(self, X):\n    self.coef_ = X")))
    []
    """
    for function in ast.walk(tree):
        if isinstance(function, Function):
            given = _parameters(function)
            for node in _own_nodes(function):
                for target in _targets(node):
                    if isinstance(target.value, ast.Name) and target.value.id in given:
                        what = f"{function.name} stores {target.value.id}.{target.attr}"
                        yield target.lineno, what


def _parameters(function: Function) -> set[str]:
    args = function.args
    every = (*args.posonlyargs, *args.args, *args.kwonlyargs)
    return {arg.arg for arg in every} - {"self", "cls"}


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function without those of the functions inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function):
            waiting += list(ast.iter_child_nodes(node))


def _targets(node: ast.AST) -> Iterator[ast.Attribute]:
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
        yield node
    elif (
        isinstance(node, ast.Call)
        and ast.unparse(node.func) in {"setattr", "delattr", "object.__setattr__"}
        and node.args
    ):
        yield ast.Attribute(node.args[0], "…", ast.Store(), lineno=node.lineno)


def lazy_imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    r"""Yield line and module of every import of margin inside a function.

    Examples
    --------
    >>> list(lazy_imports(ast.parse("def f():\n    from margin.core import check")))
    [(2, 'imports margin.core inside f')]
    """
    for function in ast.walk(tree):
        if isinstance(function, Function):
            for node in _own_nodes(function):
                for name in _imported(node):
                    if name.split(".")[0] == "margin":
                        yield node.lineno, f"imports {name} inside {function.name}"


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


def interruptions(tree: ast.Module) -> Iterator[tuple[int, str]]:
    r"""Yield line and complaint for every handler of Ctrl-C.

    Examples
    --------
    >>> list(interruptions(ast.parse("try:\n    f()\nexcept KeyboardInterrupt:\n    g()")))
    [(3, 'handles Ctrl-C, which is for core.iterate')]
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            caught = {name.id for name in ast.walk(node.type) if isinstance(name, ast.Name)}
            if "KeyboardInterrupt" in caught:
                yield node.lineno, "handles Ctrl-C, which is for core.iterate"


def empty_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    r"""Yield line and name of every local that does not say what it is.

    Examples
    --------
    >>> list(empty_names(ast.parse("def f():\n    found = solve()\n    return found")))
    [(2, 'calls a local found, which does not say what it is')]
    """
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Store)
            and node.id in EMPTY_NAMES
        ):
            yield node.lineno, f"calls a local {node.id}, which does not say what it is"


def long_lists(code: str) -> Iterator[tuple[int, str]]:
    r"""Yield line and complaint for every function with too many arguments that is not bound.

    Examples
    --------
    >>> many = ", ".join(["int a"] * 10)
    >>> list(long_lists(f"\nint sum({many}) {{ return 0; }}"))
    [(2, 'sum takes 10 arguments, at most 9; give it structs')]
    >>> list(long_lists(f'int sum({many}) {{ return 0; }} void bind() {{ m.def("s", &sum); }}'))
    []
    """
    code = _NO_CODE.sub(lambda match: "\n" * match[0].count("\n"), code)
    for match in _NAME.finditer(code):
        name, end = match[1], _closing(code, match.end())
        if name in _KEYWORDS or not _BODY.match(code, end + 1):
            continue
        number = _count(code[match.end() : end])
        if number > MOST_ARGUMENTS and not _is_bound(code, name):
            line = code.count("\n", 0, match.start()) + 1
            yield (
                line,
                f"{name} takes {number} arguments, at most {MOST_ARGUMENTS}; give it structs",
            )


def _closing(code: str, start: int) -> int:
    """Where the bracket closes that was opened just before."""
    depth, at = 1, start
    while depth and at < len(code):
        depth += (code[at] == "(") - (code[at] == ")")
        at += 1
    return at - 1


def _count(parameters: str) -> int:
    """Number of parameters: commas outside of all brackets."""
    depth, commas = 0, 0
    for letter in parameters:
        depth += (letter in "(<[{") - (letter in ")>]}")
        commas += letter == "," and depth == 0
    return commas + 1 if parameters.strip() else 0


def _is_bound(code: str, name: str) -> bool:
    """Whether Python calls it: ``m.def(…, &name)`` or ``.def(nb::new_(&name))``."""
    return re.search(rf"(?:def\w*\([^;]*?,|new_\()\s*&{name}\b", code) is not None


def _long_lists_below(native: Path, root: Path) -> Iterator[str]:
    for path in sorted([*native.rglob("*.cpp"), *native.rglob("*.hpp")]):
        for line, what in long_lists(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(root)}:{line}: {what}"


def faults(root: Path) -> Iterator[str]:
    """Yield everything that is wrong below ``root``, a line each."""
    package = root / "src" / "margin"
    yield from crowded(package)
    native = root / "src" / "native"
    if native.is_dir():
        yield from crowded(native)
        yield from _long_lists_below(native, root)
    for path in sorted(package.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        room = path.relative_to(package).parts
        faulty = [*stores(tree), *empty_names(tree)]
        if "cli" not in room and path.parent != package:
            faulty += lazy_imports(tree)
        if not any(room[: len(place)] == place for place in HANDLE_CTRL_C):
            faulty += interruptions(tree)
        yield from (f"{path.relative_to(root)}:{line}: {what}" for line, what in faulty)


def main(root: Path = ROOT) -> int:
    """Print every fault; return the exit status."""
    listed = list(faults(root))
    for fault in listed:
        print(fault)
    return int(bool(listed))


if __name__ == "__main__":
    sys.exit(main())
