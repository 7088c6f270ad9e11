"""Public addresses: a name says where users import it, wherever it is defined."""

import sys


def publish(package: str) -> None:
    """Give everything that a package offers and defines the address of the package.

    Saved models, pickles, reprs and documentation name a class by its ``__module__``; with the
    address of the package they survive any move inside it. To be called at the end of the
    ``__init__`` of a package; what it only passes on from another package keeps its address.

    Parameters
    ----------
    package : str
        Dotted name of a package with ``__all__``.

    Examples
    --------
    >>> from margin.core import Status
    >>> Status.__module__
    'margin.core'
    """
    module = sys.modules[package]
    for name in module.__all__:
        item = getattr(module, name)
        named = hasattr(item, "__qualname__")  # a class or a function, not a value of one
        if named and item.__module__.startswith(f"{package}."):
            item.__module__ = package
