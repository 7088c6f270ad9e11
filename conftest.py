"""Examples in docstrings run in the module that defines their class.

``margin.core.publish`` gives public classes the address of their package. The standard finder
goes by that address, so it would run the example of a class without the imports of its module
and would pass over those of its methods.
"""

import ast
import doctest
import functools
import inspect
from pathlib import Path

_from_module = doctest.DocTestFinder._from_module


@functools.cache
def _classes(path: str) -> frozenset[str]:
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def _defined_in(finder, module, thing):
    if module is not None and inspect.isclass(thing) and thing.__module__.startswith("margin"):
        return (
            getattr(module, "__file__", None) is not None
            and (
                thing.__module__ == module.__name__
                or module.__name__.startswith(f"{thing.__module__}.")
            )
            and thing.__name__ in _classes(module.__file__)
        )
    return _from_module(finder, module, thing)


doctest.DocTestFinder._from_module = _defined_in
