"""Mixed search spaces: real, logarithmic, whole and categorical parameters as one cube."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats


@dataclass(frozen=True)
class Dimension:
    """One parameter, as a number between 0 and 1 or one column per choice.

    Parameters
    ----------
    name : str
    kind : {"float", "int", "choice"}
    low, high : float
        Ends of the interval.
    log : bool
        Whether equal ratios are equal distances.
    choices : tuple
        Values of a categorical parameter.
    """

    name: str
    kind: str
    low: float = 0.0
    high: float = 1.0
    log: bool = False
    choices: tuple[Any, ...] = ()

    @property
    def width(self) -> int:
        """Number of columns in the cube."""
        return len(self.choices) if self.kind == "choice" else 1

    def encode(self, value: Any) -> Floats:
        """Columns of one value."""
        if self.kind == "choice":
            hits = [i for i, c in enumerate(self.choices) if c is value or _same(c, value)]
            if not hits:
                raise check.fail("SearchSpace", self.name, f"one of {self.choices}", value)
            return np.asarray(np.eye(len(self.choices))[hits[0]])
        if not self.low <= value <= self.high:
            raise check.fail("SearchSpace", self.name, f"in [{self.low}, {self.high}]", value)
        low, high, at = self._ends(value)
        return np.array([(at - low) / (high - low) if high > low else 0.5])

    def decode(self, share: float) -> Any:
        """Value at a share of the interval, or of the list of choices."""
        share = min(max(float(share), 0.0), 1.0)
        if self.kind == "choice":
            return self.choices[min(int(share * len(self.choices)), len(self.choices) - 1)]
        low, high, _ = self._ends(self.low)
        at = low + share * (high - low)
        value = float(np.exp(at)) if self.log else at
        if self.kind == "int":
            return int(min(max(round(value), self.low), self.high))
        return min(max(value, self.low), self.high)

    def _ends(self, value: Any) -> tuple[float, float, float]:
        if self.log:
            return float(np.log(self.low)), float(np.log(self.high)), float(np.log(value))
        return self.low, self.high, float(value)


def _same(a: Any, b: Any) -> bool:
    try:
        return type(a) is type(b) and bool(a == b)
    except (TypeError, ValueError):
        return False


class SearchSpace:
    """Parameters to search over.

    Parameters
    ----------
    dimensions : mapping of str to list, (low, high) or (low, high, "linear" | "log")
        A list is a set of choices, a pair or triple an interval: of whole numbers where both ends
        are integers, else of real numbers.

    Examples
    --------
    >>> from margin.gp import SearchSpace
    >>> space = SearchSpace({"alpha": (1e-3, 10.0, "log"), "depth": (1, 9), "kind": ["a", "b"]})
    >>> space.encode({"alpha": 0.1, "depth": 5, "kind": "b"}).round(3)
    array([0.5, 0.5, 0. , 1. ])
    >>> space.decode([1.0, 0.0, 0.9])
    {'alpha': 10.0, 'depth': 1, 'kind': 'b'}
    """

    def __init__(self, dimensions: Mapping[str, Any]) -> None:
        if not isinstance(dimensions, Mapping) or not dimensions:
            raise check.fail(self, "dimensions", "a mapping with at least one entry", dimensions)
        self.dimensions = tuple(_dimension(self, *item) for item in dimensions.items())

    def encode(self, params: Mapping[str, Any]) -> Floats:
        """One point of the cube, choices as indicators."""
        names = [d.name for d in self.dimensions]
        if set(params) != set(names):
            raise check.fail(self, "params", f"of the names {names}", list(params))
        return np.concatenate([d.encode(params[d.name]) for d in self.dimensions])

    def decode(self, shares: Any) -> dict[str, Any]:
        """Parameters at one share per dimension."""
        return {d.name: d.decode(s) for d, s in zip(self.dimensions, shares, strict=True)}

    def sample(self, n: int, rng: np.random.Generator) -> list[dict[str, Any]]:
        """Random points that fill every interval evenly: one in each of ``n`` slices."""
        columns = [(rng.permutation(n) + rng.random(n)) / n for _ in self.dimensions]
        return [self.decode(row) for row in np.column_stack(columns)]

    def nearby(self, params: Mapping[str, Any], n: int, rng: np.random.Generator) -> list[Any]:
        """Random changes of a point: small steps of numbers, now and then another choice."""
        neighbours = []
        for _ in range(n):
            point = dict(params)
            for d in self.dimensions:
                if d.kind == "choice":
                    if rng.random() < 0.2:
                        point[d.name] = d.decode(rng.random())
                else:
                    at = float(d.encode(params[d.name])[0])
                    point[d.name] = d.decode(at + rng.normal() * 10 ** rng.uniform(-3, -0.7))
            neighbours.append(point)
        return neighbours


def _dimension(owner: Any, name: str, given: Any) -> Dimension:
    need = "a list of choices, (low, high) or (low, high, 'linear' or 'log')"
    if isinstance(given, list) and given:
        return Dimension(name, "choice", choices=tuple(given))
    if not isinstance(given, tuple) or len(given) not in (2, 3):
        raise check.fail(owner, name, need, given)
    low, high, scale = given if len(given) == 3 else (*given, "linear")
    numbers = all(
        isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in given[:2]
    )
    if not numbers or scale not in ("linear", "log") or not -np.inf < low <= high < np.inf:
        raise check.fail(owner, name, need + " with low <= high", given)
    if scale == "log" and low <= 0:
        raise check.fail(owner, name, "above 0 for a logarithmic scale", given)
    whole = isinstance(low, int | np.integer) and isinstance(high, int | np.integer)
    return Dimension(name, "int" if whole else "float", float(low), float(high), scale == "log")
