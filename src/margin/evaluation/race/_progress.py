"""Telling a listener how far a comparison is."""

from __future__ import annotations

from typing import Any


class Progress:
    """Calls the methods that a progress object has; silent about those it has not.

    Parameters
    ----------
    listener : object or None
        May have ``stated(problem)``, ``start(models, n_folds)``,
        ``update(model, fold, score, seconds)``, ``phase(text)`` and ``finish()``.
    """

    def __init__(self, listener: Any = None) -> None:
        self._listener = listener

    def __getattr__(self, name: str) -> Any:
        return getattr(self._listener, name, _nothing)


def _nothing(*args: Any) -> None:
    """Do nothing, for a progress object without that method."""
