"""The registry: every module here adds its ``CASES``, so that a new family is a new file."""

from importlib import import_module
from pkgutil import iter_modules

from benchmarks.case import Case


def collect(package: str, path: list[str]) -> tuple[Case, ...]:
    """The cases of every module of a package, in alphabetical order of the modules."""
    names = sorted(module.name for module in iter_modules(path))
    modules = [import_module(f"{package}.{name}") for name in names]
    cases = tuple(case for module in modules for case in module.CASES)
    seen: set[str] = set()
    for case in cases:
        if case.name in seen:
            raise ValueError(f"two cases are called {case.name!r}")
        seen.add(case.name)
    return cases


CASES = collect(__name__, list(__path__))
