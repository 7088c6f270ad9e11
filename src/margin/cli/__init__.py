"""The command line: ``margin compare``, ``predict``, ``models``, ``show`` and ``versions``."""

from margin.cli._main import main
from margin.core import publish

__all__ = ["main"]

publish(__name__)
