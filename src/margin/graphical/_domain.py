"""Names of discrete variables and of their states: words at the border, codes inside."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from margin.core.types import Array, Ints, Places

UNOBSERVED = -1
_UNKNOWN = -2


@dataclass(frozen=True)
class Domain:
    """Discrete variables, in order, with the names of their states.

    Parameters
    ----------
    owner : str
        Class that messages name.
    states : mapping of str to sequence
        State names of every variable, in the order of the axes of the tables.

    Examples
    --------
    >>> domain = Domain("BayesianNetwork", {"rain": ("no", "yes")})
    >>> domain.code("rain", "yes"), domain.code("rain", None)
    (1, -1)
    >>> domain.code("rain", "maybe")
    Traceback (most recent call last):
    ValueError: BayesianNetwork: state of 'rain' must be one of 'no', 'yes', got 'maybe'
    """

    owner: str
    states: Mapping[str, tuple[Hashable, ...]]

    def __post_init__(self) -> None:
        fixed: dict[str, tuple[Hashable, ...]] = {}
        for name, states in self.states.items():
            listed = tuple(
                state.item() if isinstance(state, np.generic) else state for state in states
            )
            if not listed:
                raise ValueError(f"{self.owner}: {name!r} must have at least one state, got none")
            if len(set(listed)) != len(listed):
                twice = next(s for s in listed if listed.count(s) > 1)
                raise ValueError(
                    f"{self.owner}: states of {name!r} must differ, got {twice!r} twice"
                )
            fixed[name] = listed
        object.__setattr__(self, "states", fixed)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Variables in order."""
        return tuple(self.states)

    @cached_property
    def cardinalities(self) -> tuple[int, ...]:
        """Number of states of every variable."""
        return tuple(len(states) for states in self.states.values())

    @cached_property
    def index(self) -> dict[str, int]:
        """Position of every variable."""
        return {name: at for at, name in enumerate(self.states)}

    @cached_property
    def _lookup(self) -> dict[str, dict[Hashable, int]]:
        return {n: {s: at for at, s in enumerate(states)} for n, states in self.states.items()}

    def position(self, name: Any) -> int:
        """Position of a variable, refusing names that are not there."""
        try:
            return self.index[name]
        except (KeyError, TypeError):
            raise ValueError(
                f"{self.owner}: variable must be one of {shorten(self.names)}, got {name!r}"
            ) from None

    def positions(self, names: Sequence[str] | str) -> tuple[int, ...]:
        """Positions of one or several different variables."""
        listed = (names,) if isinstance(names, str) or names in self.index_or_empty else names
        positions = tuple(self.position(name) for name in listed)
        if len(set(positions)) != len(positions):
            raise ValueError(f"{self.owner}: variables must differ, got {tuple(listed)!r}")
        return positions

    @property
    def index_or_empty(self) -> Mapping[Any, int]:
        """A mapping whose ``in`` accepts unhashable values too."""
        return _Forgiving(self.index)

    def code(self, name: str, state: Any) -> int:
        """Code of a state; NaN and None are -1, unobserved."""
        lookup = self._lookup[self.names[self.position(name)]]
        if isinstance(state, np.generic):
            state = state.item()
        try:
            code = lookup.get(state, _UNKNOWN)
        except TypeError:
            code = _UNKNOWN
        if code == _UNKNOWN and is_missing(state):
            return UNOBSERVED
        if code == _UNKNOWN and not isinstance(state, str):
            # A table read from a file of words holds numbers for states called "0", "1".
            code = lookup.get(str(state), _UNKNOWN)
        if code == _UNKNOWN:
            allowed = shorten(self.states[name])
            raise ValueError(
                f"{self.owner}: state of {name!r} must be one of {allowed}, got {state!r}"
            )
        return code

    def encode(self, name: str, values: Any) -> Ints:
        """Codes of a column of states; -1 where it is missing."""
        codes, uniques = factorise(values)
        table = np.fromiter((self.code(name, u) for u in uniques), np.int32, len(uniques))
        table = np.append(table, np.int32(UNOBSERVED))  # code -1 of factorise picks the last
        return table[codes]

    def decode(self, name: str, codes: Any) -> Array:
        """State names of an array of codes."""
        states = self.states[name]
        words: Array = np.array(states)
        if words.ndim != 1 or (
            words.dtype.kind in "US" and not all(isinstance(s, str) for s in states)
        ):
            words = np.empty(len(states), dtype=object)
            words[:] = states
        named: Array = words[np.asarray(codes)]
        return named


class _Forgiving(dict[Any, int]):
    def __contains__(self, key: object) -> bool:
        try:
            return super().__contains__(key)
        except TypeError:
            return False


def is_missing(value: Any) -> bool:
    """Whether a value stands for "not observed".

    Examples
    --------
    >>> [is_missing(v) for v in (None, float("nan"), "", 0)]
    [True, True, False, False]
    """
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        # pandas.NA refuses to be a truth value.
        return type(value).__name__ == "NAType"


def factorise(values: Any) -> tuple[Places, list[Any]]:
    """Codes of a column into its distinct values, -1 where missing.

    Examples
    --------
    >>> codes, distinct = factorise(["b", None, "a", "b"])
    >>> codes.tolist(), distinct
    ([0, -1, 1, 0], ['b', 'a'])
    """
    module = type(values).__module__.partition(".")[0]
    if module == "pandas":
        import pandas as pd

        if isinstance(values.dtype, pd.CategoricalDtype):
            return values.cat.codes.to_numpy(np.intp), list(values.cat.categories)
        codes, distinct = pd.factorize(values)
        return codes, list(distinct)
    array = values.to_numpy() if module == "polars" else np.asarray(values)
    if array.dtype.kind in "biuf":
        distinct, codes = np.unique(array, return_inverse=True)
        if len(distinct) and is_missing(distinct[-1]):
            codes, distinct = np.where(codes == len(distinct) - 1, -1, codes), distinct[:-1]
        return codes.ravel(), distinct.tolist()
    seen: dict[Any, int] = {}
    codes = np.fromiter(
        (-1 if is_missing(v) else seen.setdefault(v, len(seen)) for v in array.tolist()),
        np.intp,
        array.size,
    )
    return codes, list(seen)


def shorten(names: Sequence[Any], most: int = 8) -> str:
    """Names for a message: all when few, the first ones otherwise.

    Examples
    --------
    >>> shorten("abc"), shorten(range(100), 2)
    ("'a', 'b', 'c'", '0, 1, … (100 in all)')
    """
    shown = ", ".join(repr(name) for name in list(names)[:most])
    return shown if len(names) <= most else f"{shown}, … ({len(names)} in all)"
