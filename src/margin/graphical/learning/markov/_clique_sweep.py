"""Sweeps of proportional fitting on a tree of cliques that stays calibrated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from margin.core.types import Floats, Indices
from margin.graphical.learning.markov._log_linear import LogLinear


@dataclass(frozen=True)
class _Marginal:
    """Where the table of some variables lies in the table of a clique.

    Neighbouring axes that share a fate are one axis, so that sums run over long stretches.

    Parameters
    ----------
    shape : tuple of int
        The clique's table, axes merged.
    summed : tuple of int
        Those of its axes that are summed out.
    kept : tuple of int
        Shape of the marginal, in the order of the clique.
    order : tuple of int
        Its axes in the order that was asked for.
    """

    shape: tuple[int, ...]
    summed: tuple[int, ...]
    kept: tuple[int, ...]
    order: tuple[int, ...]

    @classmethod
    def of(cls, clique: Sequence[int], scope: Sequence[int], cards: Sequence[int]) -> _Marginal:
        shape: list[int] = []
        stays: list[bool] = []
        for variable in clique:
            keep = variable in scope
            if stays and stays[-1] == keep:
                shape[-1] *= cards[variable]
            else:
                shape.append(cards[variable])
                stays.append(keep)
        inside = [variable for variable in clique if variable in scope]
        return cls(
            tuple(shape),
            tuple(axis for axis, keep in enumerate(stays) if not keep),
            tuple(cards[variable] for variable in inside),
            tuple(inside.index(variable) for variable in scope),
        )

    def read(self, belief: Floats) -> Floats:
        """The marginal."""
        total = belief.reshape(self.shape).sum(axis=self.summed)
        return np.asarray(total.reshape(self.kept).transpose(self.order))

    def multiply(self, belief: Floats, ratio: Floats) -> None:
        """Multiply the clique's table, in place, by a table of the variables."""
        back = ratio.transpose(np.argsort(self.order))
        flat = tuple(1 if a in self.summed else s for a, s in enumerate(self.shape))
        belief.reshape(self.shape)[...] *= back.reshape(flat)


class CalibratedTree:
    r"""Beliefs :math:`p(x_C)` of the cliques of a tree, brought up to date where they are used.

    A sweep walks once around the tree (Jiroušek and Preučil 1995). Where it stands, the belief is
    the marginal of the model: fitting a potential needs one sum and one product over the table of
    its clique, and a step along an edge the same for the separator. A pass of all messages per
    potential would cost the whole tree each time.

    Parameters
    ----------
    family : LogLinear
        Cliques of the model.
    tables : sequence of ndarray
        Potentials to start from.
    """

    def __init__(self, family: LogLinear, tables: Sequence[Floats]) -> None:
        tree, cards = family.tree, family.cards
        self._parents, cliques = tree.parents, tree.cliques
        self._children: list[list[int]] = [[] for _ in cliques]
        for clique, parent in enumerate(self._parents):
            if parent >= 0:
                self._children[parent].append(clique)
        self._hosted: list[list[tuple[int, _Marginal]]] = [[] for _ in cliques]
        sets = [set(clique) for clique in cliques]
        logs = [np.zeros(tuple(cards[v] for v in clique)) for clique in cliques]
        for at, (scope, table) in enumerate(zip(family.scopes, tables, strict=True)):
            homes = [c for c, members in enumerate(sets) if members.issuperset(scope)]
            home = min(homes, key=lambda c: logs[c].size)
            place = _Marginal.of(cliques[home], scope, cards)
            self._hosted[home].append((at, place))
            _add(logs[home], place, table)
        self._beliefs = [np.exp(log - max(float(log.max()), -1e300)) for log in logs]
        self._edges = {
            clique: tuple(
                _Marginal.of(cliques[end], separator, cards)
                for end in (clique, self._parents[clique])
            )
            for clique, separator in enumerate(tree.separators)
            if self._parents[clique] >= 0
        }
        for clique in self._from_leaves():
            if clique in self._edges:
                self._pass_up(clique, first=True)
            else:
                self._beliefs[clique] /= self._beliefs[clique].sum() or 1.0

    def sweep(self, tables: Sequence[Floats], targets: Sequence[Floats]) -> list[Floats]:
        """The potentials after all of them were fitted to their marginals once."""
        fitted = list(tables)
        for root in (c for c, parent in enumerate(self._parents) if parent < 0):
            self._visit(root, fitted, targets)
        return fitted

    def _visit(self, root: int, fitted: list[Floats], targets: Sequence[Floats]) -> None:
        # A walk around the tree without recursion: trees may be as deep as there are variables.
        walk = [(root, False)]
        while walk:
            clique, leaving = walk.pop()
            if leaving:
                self._pass_up(clique)
                continue
            if clique in self._edges:
                self._pass_down(clique)
                walk.append((clique, True))
            for at, place in self._hosted[clique]:
                ratio = _ratio(targets[at], place.read(self._beliefs[clique]))
                place.multiply(self._beliefs[clique], ratio)
                fitted[at] = fitted[at] * ratio
            walk.extend((child, False) for child in self._children[clique])

    def _pass_up(self, clique: int, *, first: bool = False) -> None:
        """Bring the parent into agreement; the first message finds no separator to divide by."""
        own, above = self._edges[clique]
        parent = self._parents[clique]
        message = own.read(self._beliefs[clique])
        if first:
            message = message / (message.max() or 1.0)
            ratio = message
        else:
            ratio = _ratio(message, above.read(self._beliefs[parent]))
        above.multiply(self._beliefs[parent], ratio)

    def _pass_down(self, clique: int) -> None:
        own, above = self._edges[clique]
        belief = self._beliefs[clique]
        ratio = _ratio(above.read(self._beliefs[self._parents[clique]]), own.read(belief))
        own.multiply(belief, ratio)

    def _from_leaves(self) -> list[int]:
        """Cliques, children before their parents."""
        order = [c for c, parent in enumerate(self._parents) if parent < 0]
        for clique in order:
            order.extend(self._children[clique])
        return order[::-1]


def sweep_work(family: LogLinear) -> float:
    """Table entries that a sweep visits, about: a sum and a product per potential and edge.

    Examples
    --------
    >>> sweep_work(LogLinear((2, 2), ((0, 1),), (None,)))
    8.0
    """
    tree = family.tree
    sizes = [float(np.prod([family.cards[v] for v in clique])) for clique in tree.cliques]
    sets = [set(clique) for clique in tree.cliques]
    hosted = sum(
        min(size for size, members in zip(sizes, sets, strict=True) if members.issuperset(scope))
        for scope in family.scopes
    )
    edges = sum(s for s, parent in zip(sizes, tree.parents, strict=True) if parent >= 0)
    return 2.0 * hosted + 4.0 * edges


def iteration_work(family: LogLinear, codes: Indices, method: str, limit: float) -> float:
    """Table entries visited by an iteration, about; rows cost what their evidence leaves open.

    Parameters
    ----------
    family : LogLinear
    codes : ndarray of shape (n_rows, n_variables)
        -1 where unknown.
    method : {"gradient", "ipf", "em"}
    limit : float
        Rows are looked at more closely only where they might need more than this.
    """
    tree = family.tree
    whole = tree.plan.operations
    # A pass in compiled code visits an entry in a third of the time.
    sweep = whole + 2.5 * sweep_work(family)
    fitting = {"gradient": whole, "ipf": sweep, "em": whole + 3 * sweep}[method]
    if method == "ipf" or not (codes < 0).any():
        return fitting
    row = whole
    if len(codes) * whole > limit:
        some = codes[np.linspace(0, len(codes) - 1, min(len(codes), 20)).astype(np.intp)]
        row = float(np.mean([tree.explain_plan(one[None]).operations for one in some]))
    return fitting + len(codes) * row


def _add(log: Floats, place: _Marginal, table: Floats) -> None:
    with np.errstate(divide="ignore"):
        logs = np.log(table)
    back = logs.transpose(np.argsort(place.order))
    flat = tuple(1 if a in place.summed else s for a, s in enumerate(place.shape))
    log.reshape(place.shape)[...] += back.reshape(flat)


def _ratio(wanted: Floats, held: Floats) -> Floats:
    """What turns one table into the other; cells without mass keep none."""
    some = (wanted > 0) & (held > 0)
    return np.divide(wanted, held, out=np.zeros_like(held), where=some)
