"""Which public name of margin claims which id, read from docstrings without importing anything."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.curriculum.ids import IdPattern

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """A parsed source file and the dotted name of its package."""

    path: Path
    dotted: str
    tree: ast.Module


def load(src: Path) -> list[Module]:
    """Parse every module below ``src`` (the folder that holds the package)."""
    modules = []
    for path in sorted(src.rglob("*.py")):
        parts = path.relative_to(src).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        modules.append(Module(path, ".".join(parts), tree))
    return modules


def exports(tree: ast.Module) -> set[str]:
    """Return the strings listed in ``__all__``, wherever the module assigns it."""
    names: set[str] = set()
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(t, ast.Name) and t.id == "__all__" for t in targets):
            names |= {n.value for n in ast.walk(node) if isinstance(n, ast.Constant)}  # type: ignore[misc]
    return names


class PublicNames:
    """Turns a definition in a (private) module into the name a user types.

    Parameters
    ----------
    modules : list of Module
        All modules of the package.
    """

    def __init__(self, modules: list[Module]) -> None:
        self._exports = {m.dotted: exports(m.tree) for m in modules if m.path.name == "__init__.py"}
        self._heirs: dict[str, set[str]] = defaultdict(set)
        for module in modules:
            for node in module.tree.body:
                if isinstance(node, ast.ClassDef):
                    heir = self.of(module, node.name) or node.name
                    for base in node.bases:
                        if isinstance(base, ast.Name):
                            self._heirs[base.id].add(heir)

    def home(self, dotted: str) -> str:
        """Return where users find a module: itself if nothing of it is private, or its package.

        Examples
        --------
        >>> PublicNames([]).home("margin.linear.regression._ridge")
        'margin.linear'
        """
        parts = dotted.split(".")
        return ".".join(parts[:2]) if any(p.startswith("_") for p in parts) else dotted

    def of(self, module: Module, name: str) -> str | None:
        """Return the public dotted name of a top-level definition, or None if it has none."""
        package = module.dotted
        while package:
            if name in self._exports.get(package, ()):
                return f"{package}.{name}"
            package = package.rpartition(".")[0]
        if name.startswith("_") or self.home(module.dotted) != module.dotted:
            return None
        return f"{module.dotted}.{name}"

    def owners(self, module: Module, name: str) -> list[str]:
        """Return the public name of a definition, or those of the classes that inherit from it."""
        if public := self.of(module, name):
            return [public]
        heirs: set[str] = set()
        waiting = [name]
        while waiting:
            new = self._heirs.get(waiting.pop(), set()) - heirs
            heirs |= new
            waiting += [heir for heir in new if "." not in heir]
        return sorted(heir for heir in heirs if "." in heir)

    def single(self, module: Module) -> str | None:
        """Return the only public name that a private module defines, if there is exactly one."""
        defined = [
            n.name for n in module.tree.body if isinstance(n, ast.ClassDef | ast.FunctionDef)
        ]
        names = {public for name in defined if (public := self.of(module, name))}
        return names.pop() if len(names) == 1 else None


def claims(modules: list[Module], find: IdPattern) -> dict[str, list[str]]:
    """Map every id in a docstring to the innermost public names whose docstring holds it."""
    names = PublicNames(modules)
    owners: dict[str, set[str]] = defaultdict(set)
    for module in modules:
        for owner, docstring in _docstrings(module, names):
            for id_ in find(docstring):
                owners[id_].add(owner)
    return {id_: _innermost(holders) for id_, holders in owners.items()}


def _docstrings(module: Module, names: PublicNames) -> Iterator[tuple[str, str]]:
    home = names.home(module.dotted)
    text = ast.get_docstring(module.tree) or ""
    private = home != module.dotted
    yield (private and names.single(module)) or home, text
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            owners: list[str | None] = [*names.owners(module, node.name)]
            for owner in owners or [None]:
                yield from _definitions(node, owner, home)


def _definitions(node: Documented, public: str | None, home: str) -> Iterator[tuple[str, str]]:
    yield public or home, ast.get_docstring(node) or ""
    for child in node.body:
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            inside = isinstance(node, ast.ClassDef) and not child.name.startswith("_")
            name = f"{public}.{child.name}" if public and inside else public
            yield from _definitions(child, name, home)


def _innermost(owners: set[str]) -> list[str]:
    """Drop a package or class when something inside it makes the same claim."""
    return sorted(o for o in owners if not any(other.startswith(f"{o}.") for other in owners))
