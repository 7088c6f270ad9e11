"""The command line: ``margin compare``, ``predict``, ``models``, ``show`` and ``versions``."""

from margin.cli._main import main

__all__ = ["main"]

# As `margin.core.publish` does, which would import NumPy: a quick answer must not wait for it.
main.__module__ = __name__
