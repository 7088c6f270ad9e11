"""Answers that are read by the names of their targets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any


class ByTarget(ABC):
    """What every answer shares with a mapping from target to its part of the answer.

    ``answer[name]``, ``name in answer``, ``len(answer)``, a loop over the names, and
    ``dict(answer)``. Only ``values`` is something else: the array.
    """

    variables: tuple[str, ...]

    @abstractmethod
    def _part(self, name: str) -> Any:
        """The part of the answer that is about one target."""

    def __getitem__(self, name: str) -> Any:
        """The part of the answer that is about one target."""
        if name not in self:
            raise KeyError(
                f"{type(self).__name__}: target must be one of {self.variables}, got {name!r}"
            )
        return self._part(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def __len__(self) -> int:
        return len(self.variables)

    def __contains__(self, name: object) -> bool:
        return name in self.variables

    def keys(self) -> tuple[str, ...]:
        """The targets."""
        return self.variables

    def items(self) -> list[tuple[str, Any]]:
        """Every target with its part of the answer."""
        return [(name, self[name]) for name in self]
