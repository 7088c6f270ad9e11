"""The multipliers of sequential minimal optimisation: those in play, their scores, kept rows."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats, Indices
from margin.native.duals import smo as native
from margin.optim.duals._box_dual import BoxDual
from margin.optim.duals._gram import Gram, GramMatrix
from margin.optim.duals._row_cache import RowCache, WholeMatrix


class Extremes(NamedTuple):
    """Per group, the largest residual of what may grow and the smallest of what may shrink."""

    up: Floats
    low: Floats

    @property
    def violation(self) -> float:
        """Largest violation of the optimality conditions."""
        return float(np.maximum.reduce(self.up - self.low, initial=0.0))


class BoxMultipliers:
    """Variables of a box dual, their scores and kept rows; only some of them while shrunk.

    The scores of rows that are out of play are those of the moment they left: when they return,
    only the multipliers that have changed since have to be accounted for.
    """

    def __init__(self, problem: BoxDual, cache_bytes: float, least: int, n_threads: int) -> None:
        self.problem, self.n_threads = problem, n_threads
        self.beta = problem.start.copy()
        self.row_of, self.group = problem.row_of, problem.groups
        gram = problem.gram
        self.scores = np.zeros(gram.n)
        add_products(gram, problem.by_row(self.beta), self.scores, None, n_threads)
        # What all variables are measured by while some are out of play.
        self._left_beta, self._left_scores = self.beta, self.scores
        self._bytes, self._least = cache_bytes, least
        self._memory: NDArray[Any] | None = None
        self._open()

    def _open(self) -> None:
        """All variables in play."""
        gram = self.problem.gram
        self.variables: Indices = np.arange(len(self.beta), dtype=np.int64)
        # Where the scores of the variables are; None: in their own places.
        self.place = self.problem.rows
        if isinstance(gram, GramMatrix):
            self.cache: RowCache | WholeMatrix = WholeMatrix(gram.matrix)
            return
        self.cache = RowCache(
            gram.columns(None),
            gram.n,
            gram.n,
            capacity=max(self._least, int(self._bytes // max(1, gram.n * gram.dtype.itemsize))),
            dtype=gram.dtype,
            memory=self._memory,
            n_threads=self.n_threads,
        )
        self._memory = self.cache.memory

    @property
    def shrunk(self) -> bool:
        """Whether variables are out of play."""
        return len(self.variables) < len(self.beta)

    def residuals(self) -> tuple[Floats, Floats]:
        """``t - f`` of what may grow and of what may shrink, infinite where it may not."""
        problem, beta = self.problem, self.beta
        target, upper, lower = problem.target, problem.upper, problem.lower
        scores = self.scores if self.place is None else self.scores[self.place]
        if self.shrunk:
            on = self.variables
            target, upper, lower, beta = target[on], upper[on], lower[on], beta[on]
        residual = target - scores
        up = np.where(beta < upper, residual, -np.inf)
        low = np.where(beta > lower, residual, np.inf)
        return up, low

    def extremes(self, up: Floats, low: Floats) -> Extremes:
        """Largest and smallest residual of each group."""
        inside = self.problem.members
        if self.shrunk and self.problem.group is not None:
            group = self.group[self.variables]
            inside = tuple(np.flatnonzero(group == g) for g in (0, 1))
        return Extremes(
            np.array([up[of].max(initial=-np.inf) for of in inside]),
            np.array([low[of].min(initial=np.inf) for of in inside]),
        )

    def settled(self, up: Floats, low: Floats, extremes: Extremes) -> NDArray[np.bool_]:
        """Variables at a bound whose residual keeps them there by more than any pair could move."""
        group = self.group[self.variables] if self.problem.group is not None else 0
        at_top = np.isneginf(up) & (low > extremes.up[group])
        at_bottom = np.isposinf(low) & (up < extremes.low[group])
        fixed = np.isneginf(up) & np.isposinf(low)
        return at_top | at_bottom | fixed

    def shrink(self, settled: NDArray[np.bool_]) -> None:
        """Take settled variables out of play; only where rows are computed."""
        assert isinstance(self.cache, RowCache)
        self._left_beta, self._left_scores = self.beta.copy(), self.scores.copy()
        self.variables = self.variables[~settled]
        rows, place = np.unique(self.row_of[self.variables], return_inverse=True)
        self.place = place
        evaluate = self.problem.gram.columns(rows)
        self.cache.restrict(rows, evaluate)
        self.scores = self.scores[rows]

    def restore(self) -> None:
        """Bring all variables back and bring their scores up to date."""
        rows = np.unique(self.row_of[self.variables])
        away = np.ones(self.problem.gram.n, dtype=bool)
        away[rows] = False
        elsewhere = np.flatnonzero(away)
        change = self.problem.by_row(self.beta - self._left_beta)
        scores, missing = self._left_scores, self._left_scores[elsewhere]
        add_products(self.problem.gram, change, missing, elsewhere, self.n_threads)
        scores[rows], scores[elsewhere] = self.scores, missing
        self.scores = scores
        self._open()

    def step(self, chosen: Indices, tol: float, reduction: float, limit: int) -> tuple[int, float]:
        """Optimise the chosen variables (positions among those in play); pairs and decrease."""
        problem, on = self.problem, self.variables[chosen]
        place = chosen if self.place is None else self.place[chosen]
        if len(on) == len(self.beta):
            rows, inverse = np.arange(problem.gram.n), self.row_of[on]
        else:
            rows, inverse = np.unique(self.row_of[on], return_inverse=True)
        slots = self.cache.fetch(rows)
        K = native.gather(self.cache.rows, slots[inverse], place, self.n_threads)
        before = self.beta[on]
        beta, slope = before.copy(), self.scores[place] - problem.target[on]
        gradient = slope.copy()
        split = len(on) if problem.group is None else int(np.count_nonzero(self.group[on] == 0))
        block = native.solve_block(
            K, beta, gradient, problem.lower[on], problem.upper[on], split, tol, reduction, limit
        )
        change = beta - before
        self.beta[on] = beta
        moved = np.bincount(inverse, weights=change, minlength=len(rows))
        some = moved != 0
        native.add_scores(self.cache.rows, slots[some], moved[some], self.scores, self.n_threads)
        return block.steps, -0.5 * float(change @ (slope + gradient))


def add_products(
    gram: Gram, coef: Floats, out: Floats, columns: Indices | None, n_threads: int
) -> None:
    """Add ``coef @ K[:, columns]`` to ``out``, over the rows of a coefficient that is not zero."""
    rows = np.flatnonzero(coef)
    if not len(rows) or not len(out):
        return
    evaluate = gram.columns(columns)
    size = max(1, 4_000_000 // len(out))
    for at in range(0, len(rows), size):
        some = rows[at : at + size]
        block = np.ascontiguousarray(evaluate(some))
        native.add_scores(block, np.arange(len(some)), coef[some], out, n_threads)
