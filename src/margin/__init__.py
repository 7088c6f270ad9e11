"""One fast, coherent Python library for the machine-learning curriculum.

Importing :mod:`margin` is light: every sub-package is loaded when it is first touched, so
``margin.linear.Ridge`` works after ``import margin`` and costs nothing before.

Examples
--------
>>> import margin
>>> margin.linear.Ridge(alpha=2.0)
Ridge(alpha=2.0)
"""

from importlib import import_module as _import_module
from pkgutil import iter_modules as _iter_modules
from types import ModuleType

__version__ = "0.1.0"

_PACKAGES = frozenset(m.name for m in _iter_modules(__path__) if m.ispkg)

__all__ = ["__version__", "show_versions", *sorted(_PACKAGES)]  # noqa: PLE0604


def show_versions() -> None:
    """Print the versions, compiler features and threads this installation runs with."""
    from margin.core import versions

    versions.show()


def __getattr__(name: str) -> ModuleType:
    if name in _PACKAGES:
        return _import_module(f"{__name__}.{name}")
    raise AttributeError(f"module 'margin' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
