"""Messages of loopy belief propagation, and the order in which they are renewed."""

import heapq
from collections.abc import Iterator
from typing import Any

import numpy as np

from margin.core.types import Floats
from margin.inference._model import FactorModel

_Link = tuple[int, int]


class LogMessages:
    """Log messages from factors to variables, largest entry zero.

    Parameters
    ----------
    model : FactorModel
    maximise : bool
        Max-product instead of sum-product.
    rng : Generator, optional
        Random initial messages.
    """

    def __init__(self, model: FactorModel, maximise: bool, rng: np.random.Generator | None) -> None:
        self.model = model
        self.maximise = maximise
        with np.errstate(divide="ignore"):
            self.log_tables = [np.log(table) for table in model.tables]
        self.around: list[list[int]] = [[] for _ in range(model.n_variables)]
        self.value: dict[_Link, Floats] = {}
        for f, scope in enumerate(model.scopes):
            for v in scope:
                self.around[v].append(f)
                start = np.zeros(model.cardinalities[v])
                if rng is not None:
                    start = np.log(rng.dirichlet(np.ones(len(start))))
                self.value[f, v] = _shifted(start)

    def to_factor(self, v: int, skip: int) -> Floats:
        """Message of a variable to a factor: all that comes from the others."""
        total = np.zeros(self.model.cardinalities[v])
        for f in self.around[v]:
            if f != skip:
                total = total + self.value[f, v]
        return total

    def _with_messages(self, f: int, skip: int) -> Floats:
        table = self.log_tables[f]
        scope = self.model.scopes[f]
        for axis, u in enumerate(scope):
            if u != skip:
                shape = [1] * len(scope)
                shape[axis] = -1
                table = table + self.to_factor(u, f).reshape(shape)
        return table

    def fresh(self, f: int, v: int) -> Floats:
        """Message that the factor would send now."""
        table = self._with_messages(f, v)
        axes = tuple(k for k, u in enumerate(self.model.scopes[f]) if u != v)
        if self.maximise:
            return _shifted(table.max(axis=axes))
        return _shifted(_log_sum(table, axes))

    def flood(self, damping: float) -> Iterator[float]:
        """All messages at once, round after round; largest change of every round."""
        while True:
            new = {link: self.fresh(*link) for link in self.value}
            change = max((_change(new[k], self.value[k]) for k in new), default=0.0)
            # A new mapping: nobody who holds the old one sees it change.
            self.value = {k: _mixed(new[k], self.value[k], damping) for k in new}
            yield change

    def settle(self, damping: float, tol: float) -> Iterator[float]:
        """Always the message that would change most; largest pending change of every round."""
        pending = {link: self.fresh(*link) for link in self.value}
        size = {link: _change(pending[link], self.value[link]) for link in pending}
        queue = [(-change, link) for link, change in size.items()]
        heapq.heapify(queue)

        def refresh(link: _Link) -> None:
            size[link] = _change(pending[link], self.value[link])
            heapq.heappush(queue, (-size[link], link))

        while True:
            self.value = dict(self.value)
            steps = 0
            while queue and steps < len(pending) and -queue[0][0] > tol:
                change, link = heapq.heappop(queue)
                if -change != size[link]:
                    continue
                steps += 1
                self.value[link] = _mixed(pending[link], self.value[link], damping)
                refresh(link)
                f, v = link
                for g in self.around[v]:
                    for u in self.model.scopes[g]:
                        if g != f and u != v:
                            pending[g, u] = self.fresh(g, u)
                            refresh((g, u))
            yield max(size.values(), default=0.0)

    def belief(self, v: int) -> Floats:
        """Marginal of a variable."""
        return _normalised(self.to_factor(v, -1))

    def factor_belief(self, f: int) -> Floats:
        """Marginal of the variables of a factor."""
        return _normalised(self._with_messages(f, -1))

    def bethe(self) -> float:
        """Log mass of factors and variables, less that of the links between them."""
        total = 0.0
        for v in range(self.model.n_variables):
            total += float(_log_sum(self.to_factor(v, -1), (0,)))
        for f in range(len(self.model.scopes)):
            table = self._with_messages(f, -1)
            total += float(_log_sum(table, tuple(range(table.ndim))))
        for _, v in self.value:
            total -= float(_log_sum(self.to_factor(v, -1), (0,)))
        return -np.inf if np.isnan(total) else total


def _log_sum(table: Floats, axes: tuple[int, ...]) -> Any:
    return np.logaddexp.reduce(table, axis=axes) if axes else table


def _shifted(message: Floats) -> Floats:
    top = message.max()
    return message - top if np.isfinite(top) else message


def _mixed(new: Floats, old: Floats, damping: float) -> Floats:
    if damping == 0.0:
        return new
    with np.errstate(invalid="ignore"):
        mixed = (1.0 - damping) * new + damping * old
    return _shifted(np.where(np.isneginf(new) | np.isneginf(old), new, mixed))


def _change(new: Floats, old: Floats) -> float:
    with np.errstate(invalid="ignore"):
        gap = np.abs(new - old)
    gap[new == old] = 0.0
    return float(gap.max(initial=0.0))


def _normalised(log_table: Floats) -> Floats:
    top = log_table.max()
    if not np.isfinite(top):
        return np.zeros_like(log_table)
    table = np.exp(log_table - top)
    normal: Floats = table / table.sum()
    return normal
