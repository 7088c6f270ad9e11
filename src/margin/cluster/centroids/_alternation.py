"""Alternations of labels and prototypes other than means, on plain arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.types import Array, Bools, Floats


class Assigned(NamedTuple):
    """Labels, and what each row adds to the objective."""

    label: Array
    cost: Floats

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The rows of several blocks."""
        label, cost = zip(*parts, strict=True)
        return cls(np.concatenate(label), np.concatenate(cost))


def alternate(
    assign: Callable[[Any], Assigned],
    update: Callable[[Assigned, Any], tuple[Any, tuple[str, ...]]],
    start: Any,
    weight: Floats | None,
    *,
    max_iter: int,
    solver: str,
    moved: Callable[[Any, Any], float] | None = None,
) -> Solution:
    r"""Labels given prototypes, prototypes given labels, until no label changes.

    Neither may raise :math:`\sum_i w_i \, \text{cost}_i`, which is checked.

    Parameters
    ----------
    assign : callable
        Prototypes to :class:`Assigned`.
    update : callable
        Assigned rows and the prototypes before to new prototypes, and words on what was mended.
    start : Any
        Prototypes.
    weight : ndarray of shape (n,) or None
    max_iter : int
    solver : str
        Name for the report.
    moved : callable, optional
        How far new prototypes are from those before; the search ends at 0 rather than when no
        label changes.

    Returns
    -------
    Solution
        ``x`` are the prototypes, ``extras["assigned"]`` is :class:`Assigned` there.
    """
    stop = Stop(
        "rows that changed" if moved is None else "moved prototypes",
        0.0,
        max_iter,
        monotone=1e-9,
        advice=("try another random_state",),
    )

    def states() -> Iterator[Iterate]:
        at, last, before, n_iter = start, None, None, 0
        repairs: tuple[str, ...] = ()
        while True:
            assigned = assign(at)
            cost = assigned.cost if weight is None else weight * assigned.cost
            changed: float | None = (
                None if before is None else float(np.count_nonzero(before != assigned.label))
            )
            if moved is not None and last is not None:
                changed = moved(last, at)
            extras = {"assigned": assigned}
            yield Iterate(at, float(cost.sum()), changed, n_iter, repairs=repairs, extras=extras)
            before, last = assigned.label, at
            at, mended = update(assigned, at)
            repairs, n_iter = (*repairs, *mended), n_iter + 1

    return iterate(states(), stop, solver=solver)


def seeding_weight(weight: Floats | None, seen: Bools) -> Floats | None:
    """Weights of the rows that a cluster may begin at: those that say something, if any does."""
    if seen.all() or not (seen if weight is None else weight[seen]).any():
        return weight
    return np.where(seen, 1.0 if weight is None else weight, 0.0)


def filled(
    assigned: Assigned, k: int, weight: Floats | None, floor: float = 0.0
) -> tuple[Array, tuple[str, ...]]:
    """Labels in which every cluster has a row: an empty one gets the row of the largest cost.

    Costs up to ``floor`` are rounding: where no row costs more, a cluster stays empty.
    """
    label = assigned.label.copy()
    mended: tuple[str, ...] = ()
    w = np.ones(len(label)) if weight is None else weight
    for c in range(k):
        if (w[label == c] > 0).any():
            continue
        sizes = np.bincount(label, weights=w > 0, minlength=k)
        movable = (sizes[label] > 1) & (w > 0) & (assigned.cost > floor)
        if not movable.any():
            continue
        row = int(np.where(movable, assigned.cost, -np.inf).argmax())
        label[row] = c
        mended = (*mended, f"empty cluster {c} restarted at row {row}")
    return label, mended
