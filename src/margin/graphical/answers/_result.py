"""Answers: distributions over the targets, and most probable assignments."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from margin.core import extra
from margin.core.types import Array, Floats
from margin.graphical.answers._by_target import ByTarget

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False, eq=False)
class QueryResult(ByTarget):
    """Distribution of the targets given the evidence.

    Read it by target: ``result["rain"]["yes"]``, or loop over the targets.

    Parameters
    ----------
    variables : tuple of str
        Targets, in the order of the axes.
    states : tuple of tuple
        State names of each.
    values : ndarray with one axis per variable, after one for the rows if there are several
        Probabilities; with a frame of evidence one row per query.
    batched : bool
        Whether the first axis is the row of the evidence.

    Examples
    --------
    >>> import numpy as np
    >>> result = QueryResult(("rain",), (("no", "yes"),), np.array([0.7, 0.3]))
    >>> result
    rain  probability
    no    0.7
    yes   0.3
    >>> result["rain"]["yes"], result.probability(rain="yes")
    (0.3, 0.3)
    >>> dict(result)
    {'rain': {'no': 0.7, 'yes': 0.3}}
    """

    variables: tuple[str, ...]
    states: tuple[tuple[Hashable, ...], ...]
    values: Floats
    batched: bool = False

    def _part(self, name: str) -> dict[Hashable, Any]:
        """Probability of every state of a target, of each row where there are rows."""
        states = self.states[self.variables.index(name)]
        marginal = self.marginals[name]
        return {
            state: marginal[..., at] if self.batched else float(marginal[at])
            for at, state in enumerate(states)
        }

    def probability(self, **assignment: Hashable) -> Any:
        """Probability of some states; targets that are not named are summed out."""
        table = self.values
        first = int(self.batched)
        index: list[Any] = [slice(None)] * first
        for name in assignment:
            if name not in self.variables:
                raise ValueError(f"QueryResult: variable must be a target, got {name!r}")
        for name, states in zip(self.variables, self.states, strict=True):
            if name in assignment and assignment[name] not in states:
                raise ValueError(
                    f"QueryResult: state of {name!r} must be one of {states}, "
                    f"got {assignment[name]!r}"
                )
            index.append(states.index(assignment[name]) if name in assignment else slice(None))
        kept = table[tuple(index)]
        total = kept.sum(axis=tuple(range(first, kept.ndim)))
        return total if self.batched else float(total)

    @property
    def marginals(self) -> dict[str, Floats]:
        """Distribution of each target on its own."""
        first = int(self.batched)
        axes = range(first, self.values.ndim)
        return {
            name: self.values.sum(axis=tuple(a for a in axes if a != at + first))
            for at, name in enumerate(self.variables)
        }

    def best(self) -> AssignmentResult:
        """The most probable configuration, of each row."""
        table = self.values if self.batched else self.values[None]
        flat = table.reshape(len(table), -1)
        place = flat.argmax(axis=1)
        codes = np.unravel_index(place, table.shape[1:])
        values = np.empty((len(table), len(self.variables)), dtype=object)
        for at, (states, code) in enumerate(zip(self.states, codes, strict=True)):
            values[:, at] = [states[c] for c in code]
        with np.errstate(divide="ignore"):
            score = np.log(flat[np.arange(len(flat)), place])
        if self.batched:
            return AssignmentResult(self.variables, values, score, batched=True)
        return AssignmentResult(self.variables, values[0], score[0])

    def to_frame(self) -> pd.DataFrame:
        """One row per configuration; for a frame of evidence one row per query."""
        pd = extra("pandas", "to_frame")
        if not self.batched:
            rows = list(product(*self.states))
            frame = pd.DataFrame(rows, columns=list(self.variables))
            return frame.assign(probability=self.values.ravel())
        if len(self.variables) == 1:
            columns: Any = pd.Index(list(self.states[0]), name=self.variables[0])
        else:
            columns = pd.MultiIndex.from_product(self.states, names=self.variables)
        return pd.DataFrame(self.values.reshape(len(self.values), -1), columns=columns)

    def __repr__(self) -> str:
        if self.batched:
            return (
                f"QueryResult: {len(self.values)} queries of {', '.join(self.variables)}, "
                f"values of shape {self.values.shape}"
            )
        rows = [(*map(str, self.variables), "probability")]
        cells = zip(product(*self.states), self.values.ravel(), strict=True)
        most = 40
        rows += [(*map(str, words), f"{p:.6g}") for words, p in list(cells)[:most]]
        return aligned(rows) + ("\n…" if self.values.size > most else "")


@dataclass(frozen=True, repr=False, eq=False)
class AssignmentResult(ByTarget):
    """Most probable assignments of the targets, or draws of them.

    ``result[name]`` is the state of a target, or the column of its states.

    Parameters
    ----------
    variables : tuple of str
        Targets, in the order of the last axis.
    values : ndarray of object, shape ([n_rows,] [k,] n_variables)
        State names; a rank axis for k-best and samples.
    log_prob : ndarray of shape ([n_rows,] [k])
        Logarithm of the probability of each assignment given the evidence.
    batched, ranked : bool
        Whether the row axis, the rank axis is there.
    """

    variables: tuple[str, ...]
    values: Array
    log_prob: Floats | None
    batched: bool = False
    ranked: bool = False

    def _part(self, name: str) -> Any:
        return self.values[..., self.variables.index(name)]

    def to_dict(self) -> dict[str, Any]:
        """The assignment of a single query, by name."""
        if self.batched or self.ranked:
            raise ValueError("AssignmentResult: to_dict must be asked of one assignment, got many")
        return dict(zip(self.variables, self.values.tolist(), strict=True))

    def to_frame(self) -> pd.DataFrame:
        """One row per query (and rank), one column per target, and the log-probability."""
        pd = extra("pandas", "to_frame")
        width = len(self.variables)
        frame = pd.DataFrame(self.values.reshape(-1, width), columns=list(self.variables))
        frame = frame.infer_objects()
        if self.batched and self.ranked:
            frame.index = pd.MultiIndex.from_product(
                [range(s) for s in self.values.shape[:2]], names=["row", "rank"]
            )
        if self.log_prob is not None:
            frame["log_prob"] = np.ravel(self.log_prob)
        return frame

    def __repr__(self) -> str:
        flat = self.values.reshape(-1, len(self.variables))
        rows = [tuple(map(str, self.variables))] + [tuple(map(str, row)) for row in flat[:10]]
        if self.log_prob is not None:
            scores = np.ravel(self.log_prob)[:10]
            rows = [(*rows[0], "log_prob")] + [
                (*row, f"{s:.6g}") for row, s in zip(rows[1:], scores, strict=True)
            ]
        return aligned(rows) + (f"\n… {len(flat)} rows" if len(flat) > 10 else "")


def aligned(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows of words as columns of text.

    Examples
    --------
    >>> print(aligned([("a", "bb"), ("ccc", "d")]))
    a    bb
    ccc  d
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
    return "\n".join(lines)
