"""k-means by small batches of rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from margin.cluster.seeding._candidates import dense
from margin.core import Iterate, Solution, Stop, iterate
from margin.core.progress import Callback
from margin.core.types import Floats, Indices
from margin.inference import pass_over


class Centres(NamedTuple):
    """Centres, the weight that each has seen, and rows since one was last given up."""

    values: Floats
    counts: Floats
    since: float = 0.0


@dataclass(frozen=True)
class Batches:
    r"""Steps towards the means of small batches.

    A centre moves to the mean of all rows it was ever given,
    :math:`\mu \leftarrow (n \mu + \sum_{i} w_i x_i) / (n + \sum_i w_i)`.

    Parameters
    ----------
    batch_size, n_steps : int
    tol : float
        Smoothed squared move that counts as rest; 0 for no such rule.
    max_no_improvement : int or None
        Batches without a better smoothed error, after which the search ends.
    reassignment_ratio : float
        Centres with a smaller share of the largest count are given up for random rows.
    n_threads : int
    """

    batch_size: int
    n_steps: int
    tol: float
    max_no_improvement: int | None
    reassignment_ratio: float
    n_threads: int

    def step(
        self,
        X: Any,
        weight: Floats | None,
        at: Centres,
        rng: np.random.Generator,
    ) -> tuple[Centres, float]:
        """The centres after a batch, and the squared errors of the batch before."""
        assigned = pass_over(X, weight, at.values, self.n_threads)
        counts = at.counts + assigned.mass
        seen = counts > 0
        values = at.values.copy()
        total = at.values * at.counts[:, None] + assigned.sums
        values[seen] = total[seen] / counts[seen, None]
        since = at.since + X.shape[0]
        if (counts == 0).any() or since >= 10 * len(counts):
            since = 0.0
            self._reassign(X, weight, values, counts, rng)
        return Centres(values, counts, since), assigned.inertia

    def _reassign(
        self,
        X: Any,
        weight: Floats | None,
        values: Floats,
        counts: Floats,
        rng: np.random.Generator,
    ) -> None:
        """Move the centres that have seen the least to rows of the batch, in place."""
        poor = np.flatnonzero(counts < self.reassignment_ratio * counts.max())
        poor = poor[np.argsort(counts[poor], kind="stable")][: X.shape[0] // 2]
        if not len(poor):
            return
        some = np.flatnonzero(np.ones(X.shape[0]) if weight is None else weight)
        poor = poor[: len(some)]
        rows = rng.choice(some, size=len(poor), replace=False)
        values[poor] = dense(X[rows])
        counts[poor] = np.delete(counts, poor).min(initial=counts.max())

    def __call__(
        self,
        X: Any,
        weight: Floats | None,
        start: Centres,
        rng: np.random.Generator,
        callback: Callback | None = None,
    ) -> Solution:
        """Steps until the centres rest, the error no longer falls, or the batches are used up."""
        ends = self.tol > 0 or self.max_no_improvement is not None
        stop = Stop(
            "smoothed move of the centres",
            self.tol if ends else None,
            self.n_steps,
            unit="batch",
            plural="batches",
            keep="last",
            advice=("raise tol", "raise batch_size"),
        )

        def finish(at: Iterate) -> Iterate:
            assigned = pass_over(X, weight, at.x.values, self.n_threads)
            return at._replace(objective=assigned.inertia, extras={"assigned": assigned})

        states = self._states(X, weight, start, rng)
        return iterate(states, stop, solver="mini-batches", callback=callback, finish=finish)

    def _states(
        self, X: Any, weight: Floats | None, at: Centres, rng: np.random.Generator
    ) -> Iterator[Iterate]:
        n = X.shape[0]
        share = min(1.0, 2.0 * self.batch_size / (n + 1))
        error: float | None = None
        moved: float | None = None
        least, waited = np.inf, 0
        for n_iter in range(1, self.n_steps + 1):
            rows: Indices = rng.integers(0, n, size=self.batch_size)
            part = None if weight is None else weight[rows]
            if part is not None and not part.any():
                part = np.ones(len(rows))
            before = at
            at, inertia = self.step(X[rows], part, at, rng)
            inertia /= self.batch_size
            done = ""
            if n_iter > 1:  # the first is far from all others
                error = inertia if error is None else error + share * (inertia - error)
                waited = 0 if error < least else waited + 1
                least = min(least, error)
                if self.max_no_improvement is not None and waited >= self.max_no_improvement:
                    done = f"no lower error in {waited} batches"
            move = float(((at.values - before.values) ** 2).sum())
            moved = move if moved is None else moved + share * (move - moved)
            proof = moved if self.tol > 0 and n_iter > 1 else None
            yield Iterate(at, inertia * n, proof, n_iter, done=done)
