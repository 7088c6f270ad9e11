"""The alternation of k-means: labels, then means, until the centres rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.inference.centres._rows import DenseRows, Rows
from margin.native.cluster.centres import Pass, elkan_labels
from margin.native.cluster.two_sides import TwoSides

_ROUNDING = 1e-9
_KNOWN = 1e-5  # share of the whole, above which a difference keeps its digits
_NONE = np.empty(0)
_SAME = 1e-24  # squared distance to a mean of equal rows, in units of their squared norm


@dataclass(frozen=True)
class Lloyd:
    r"""Lloyd's method, with or without bounds that spare comparisons (cluster.01).

    .. math:: J(c, \mu) = \sum_i w_i \|x_i - \mu_{c(i)}\|^2

    Labels minimise :math:`J` given the centres, means minimise it given the labels: it never
    rises, which is checked. A cluster that has lost all its rows gets the row that is farthest
    from its centre, a repair in the report.

    Parameters
    ----------
    tol : float
        Sum of the squared moves of the centres that counts as rest.
    max_iter : int
    algorithm : {"lloyd", "hamerly", "elkan"}
        All give the same centres; bounds on distances (one per row, or one per row and centre)
        spare comparisons where few rows change.
    """

    tol: float
    max_iter: int
    algorithm: str = "lloyd"

    def __call__(self, rows: Rows, start: Floats, callback: Callback | None = None) -> Solution:
        """The centres that a start leads to; ``extras["assigned"]`` is the pass over them."""
        stop = Stop(
            "move of the centres",
            self.tol,
            self.max_iter,
            keep="last",
            columns=("changed", "searched"),
            monotone=_ROUNDING,
            advice=("raise tol", "scale the features"),
        )

        def finish(at: Iterate) -> Iterate:
            # With no move the centres are those of the last pass.
            if at.certificate == 0.0 and len(at.extras["assigned"].square):
                return at
            assigned = rows(at.x, at.extras["assigned"].label)
            told = (float(assigned.changed), float(assigned.searched))
            extras = {**at.extras, "assigned": assigned}
            return at._replace(objective=assigned.inertia, extras=extras, trace=told)

        name = f"Lloyd with bounds of {self.algorithm.title()}"
        solver = "Lloyd" if self.algorithm == "lloyd" else name
        return iterate(
            self._states(rows, start), stop, solver=solver, callback=callback, finish=finish
        )

    def _states(self, rows: Rows, start: Floats) -> Iterator[Iterate]:
        labels = _labeller(rows, self.algorithm, len(start))
        centres, n_iter = start, 0
        repairs: tuple[str, ...] = ()
        while True:
            assigned = labels(centres)
            new, mended = means(assigned, centres, rows)
            repairs, n_iter = (*repairs, *mended), n_iter + 1
            move = float(((new - centres) ** 2).sum())
            centres = new
            yield Iterate(
                centres,
                assigned.inertia,
                move,
                n_iter,
                trace=(float(assigned.changed), float(assigned.searched)),
                repairs=repairs,
                extras={"assigned": assigned},
            )


def means(assigned: Pass, centres: Floats, rows: Rows) -> tuple[Floats, tuple[str, ...]]:
    """Means of the rows of every label, and what was done about clusters without rows.

    An empty cluster gets the row with the largest distance to its centre, which leaves its own
    cluster; where no row has any distance left but that of rounding it stays where it is.
    """
    mass, sums = assigned.mass, assigned.sums
    if (mass > 0).all():
        return sums / mass[:, None], ()
    empty = np.flatnonzero(~(mass > 0))
    repairs: tuple[str, ...] = ()
    mass, sums = mass.copy(), sums.copy()
    weight = rows.weights
    away = np.where(weight > 0, assigned.square, -1.0)
    for c, row in zip(empty, np.argsort(-away, kind="stable"), strict=False):
        if not away[row] > 0:
            break
        w, x, old = weight[row], rows.row(int(row)), assigned.label[row]
        if not ((x - centres[old]) ** 2).sum() > _SAME * (x @ x):
            break
        if not mass[old] - w > 1e-12 * mass[old]:
            continue
        mass[old], sums[old] = mass[old] - w, sums[old] - w * x
        mass[c], sums[c] = w, w * x
        repairs = (*repairs, f"empty cluster {c} restarted at row {row}")
    filled = mass > 0
    new = centres.copy()
    new[filled] = sums[filled] / mass[filled, None]
    return new, repairs


def _labeller(rows: Rows, algorithm: str, k: int) -> Any:
    if isinstance(rows, DenseRows):
        if k == 2 and algorithm == "lloyd":
            return _Sides(rows)
        if algorithm == "hamerly":
            return _Hamerly(rows)
        if algorithm == "elkan":
            return _Elkan(rows)
    return _Plain(rows)


class _Plain:
    """Every row is compared with every centre."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.label: Any = None

    def __call__(self, centres: Floats) -> Pass:
        assigned = self.rows(centres, self.label)
        self.label = assigned.label
        return assigned


class _Sides:
    """Two centres: the plane between them tells labels, and only rows that cross it are summed."""

    def __init__(self, rows: DenseRows) -> None:
        self.rows, self.sides = rows, TwoSides(rows.table, rows.n_threads)

    def __call__(self, centres: Floats) -> Pass:
        at, label = self.sides.move(centres), self.sides.label.copy()
        first, second = at.mass.tolist()
        if not (at.share > _KNOWN and min(first, second) > _KNOWN * (first + second)):
            # Differences would lose their digits, or a side has no rows.
            return self.rows(centres, label)._replace(changed=at.changed)
        return Pass(label, _NONE, at.sums, at.mass, at.inertia, at.changed, len(label))


class _Hamerly:
    """A bound per row on the distance to the centres that are not its own."""

    def __init__(self, rows: DenseRows) -> None:
        self.rows, self.before = rows, np.empty(0)
        self.lower = np.empty(len(rows.table.X))
        self.label: Any = None

    def __call__(self, centres: Floats) -> Pass:
        bounds: dict[str, Any] = {"lower": self.lower}
        k = len(centres)
        if self.label is not None and k > 1:
            move = np.linalg.norm(centres - self.before, axis=1) * (1 + 1e-12)
            most = int(move.argmax())
            others = np.full(k, move[most])
            others[most] = np.delete(move, most).max()
            between = cdist(centres, centres)
            np.fill_diagonal(between, np.inf)
            half = 0.5 * between.min(axis=1) * (1 - 1e-12)
            bounds |= {"half": half, "move": others}
        assigned = self.rows(centres, self.label, **bounds)
        self.label, self.before = assigned.label, centres
        return assigned


class _Elkan:
    """A bound per row and centre: the fewest comparisons, the most memory."""

    def __init__(self, rows: DenseRows) -> None:
        self.rows, self.before = rows, np.empty(0)
        self.label = np.full(len(rows.table.X), -1, dtype=np.int32)
        self.lower = np.empty((0, 0))

    def __call__(self, centres: Floats) -> Pass:
        n, k = len(self.label), len(centres)
        first = not len(self.before)
        if first:
            self.lower = np.zeros((n, k))
            self.before = centres
        move = np.linalg.norm(centres - self.before, axis=1) * (1 + 1e-12)
        between = cdist(centres, centres) * (1 - 1e-12)
        label = self.label.copy()
        changed = elkan_labels(
            self.rows.table.X, centres, between, move, label, self.lower, self.rows.n_threads
        )
        # The sums of rows whose labels are known: nothing is searched where bounds are infinite.
        known = np.full(n, np.inf)
        bounds = {"lower": known, "half": np.full(k, np.inf), "move": np.zeros(k)}
        assigned = self.rows(centres, label, **bounds)
        self.label, self.before = label, centres
        return assigned._replace(changed=changed, searched=changed)
