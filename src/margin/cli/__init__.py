"""The command line: ``margin compare``, ``predict``, ``models``, ``show`` and ``versions``."""

from margin.cli._main import main

__all__ = ["main"]
