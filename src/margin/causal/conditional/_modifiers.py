"""Columns that may change an effect, coded alike in fit and prediction."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.causal.tables._columns import column, is_words, levels, numbers
from margin.core import check
from margin.core.types import Floats


@dataclass(frozen=True, eq=False)
class Modifiers:
    """How columns become numbers.

    Parameters
    ----------
    names : tuple of names
    words : mapping of name to levels
        Columns of words become dummies of all levels but the first.

    Examples
    --------
    >>> coded = Modifiers.learned("EffectModifier", {"a": [1, 2], "w": ["x", "y"]}, ("a", "w"))
    >>> coded.columns, coded.rows("EffectModifier", {"a": [3], "w": ["y"]})
    (('a', 'w=y'), array([[3., 1.]]))
    """

    names: tuple[Hashable, ...]
    words: Mapping[Hashable, tuple[Any, ...]]

    @classmethod
    def learned(cls, owner: object, frame: Any, names: tuple[Hashable, ...]) -> "Modifiers":
        """Levels of the columns of words."""
        words = {n: levels(owner, frame, n)[0] for n in names if is_words(column(owner, frame, n))}
        return cls(names, words)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the numbers."""
        names: list[str] = []
        for name in self.names:
            held = self.words.get(name)
            names += [str(name)] if held is None else [f"{name}={level}" for level in held[1:]]
        return tuple(names)

    def rows(self, owner: object, frame: Any) -> Floats:
        """The columns of a frame as numbers; a level that was not seen before is refused."""
        parts: list[Floats] = []
        for name in self.names:
            held = self.words.get(name)
            if held is None:
                parts.append(numbers(owner, frame, name)[:, None])
                continue
            values = column(owner, frame, name)
            codes = np.array([held.index(v) if v in held else -1 for v in values.tolist()])
            if (codes < 0).any():
                need = f"of the levels {held}"
                raise check.fail(owner, f"column {name!r}", need, values[codes < 0][0])
            parts.append((codes[:, None] == np.arange(1, len(held))).astype(np.float64))
        return np.hstack(parts)
