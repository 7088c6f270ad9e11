"""Any identified effect from frequencies: the formula, evaluated on the table of the rows."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.causal.graph._types import Node
from margin.causal.identification._estimand import Estimand
from margin.causal.identification._expressions import Expression, Joint, Probability
from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._overlap import NoOverlapError
from margin.causal.methods._scores import Method, Scores, compared, mean_of
from margin.core import check
from margin.core.types import Array, Bools, Floats, Indices

MOST_CELLS = 2_000_000
MOST_SLOPES = 4096


@dataclass(frozen=True)
class PlugIn(Method):
    r"""A formula of :func:`identify` with frequencies in the place of probabilities.

    .. math:: \hat\mu_a = \sum_y y\, f_{\hat P}(y; a)

    for whatever formula the graph gives: adjustment, a front door, or one of the complete
    procedure (causal.25). All columns but the outcome must be discrete. An outcome of numbers is
    exact too: no formula conditions on it, so that a row may count in part as its largest and in
    part as its smallest value.

    Parameters
    ----------
    estimand : Estimand, optional
        That of the graph by default.
    n_levels : int, default=20
        Most levels of a column.

    Notes
    -----
    A row adds to the error by the slope of the formula along its cell of the table, found by
    moving the cells one by one: time grows with the cells, not with the rows. Of tables with more
    than 4096 cells that are not empty the error is that of a bootstrap.
    """

    estimand: Estimand | None = None
    n_levels: int = 20
    title: ClassVar[str] = "frequencies in the formula of the graph"
    door: ClassVar[str] = "general"

    def __post_init__(self) -> None:
        check.params(self, count="n_levels")

    def scores(self, data: EffectData, nuisance: Nuisance) -> Scores:
        """Means under every level with the slopes of the formula."""
        counts = self._counted(data)
        means = counts.means(counts.table)
        if (counts.table > 0).sum() > MOST_SLOPES:
            return compared(data, means, None)
        influence = counts.influence()
        return compared(data, means, influence - mean_of(influence, data.weight))

    def estimate(self, data: EffectData, nuisance: Nuisance) -> Floats:
        """Differences of the means."""
        counts = self._counted(data)
        means = counts.means(counts.table)
        return np.asarray(means[1:] - means[0])

    def _counted(self, data: EffectData) -> "Counts":
        if data.target != "ate":
            raise check.fail(data.owner, "target", "'ate' for method 'plugin'", data.target)
        if self.estimand is None or self.estimand.expression is None:
            raise check.fail(data.owner, "graph", "given, for a formula", None)
        return counted(data, self.estimand, self.estimand.expression, self.n_levels)


def formula_columns(estimand: Estimand) -> tuple[Node, ...]:
    """Variables of a formula but treatment and outcome, in the order of the graph."""
    named = frozenset() if estimand.expression is None else estimand.expression.variables
    asked = {*estimand.treatment, *estimand.outcome}
    return tuple(n for n in estimand.graph.nodes if n in named and n not in asked)


@dataclass(frozen=True, eq=False)
class Counts:
    """The table of the rows, and where each of them stands in it.

    Parameters
    ----------
    owner : str
        Who speaks in errors.
    expression : Expression
    names : tuple of nodes
        Axes: treatments, others, the outcome of two values last.
    levels : tuple of tuples
        Of the axes.
    table : ndarray
        Shares of the rows.
    cell : ndarray of shape (n,)
        Place of every row among the cells without the outcome.
    share : ndarray of shape (n,)
        How much of a row counts as the larger outcome.
    arms : tuple of ndarray
        Place of every level of the treatment along the first axes.
    low, high : float
        Smallest and largest outcome.
    """

    owner: str
    expression: Expression
    names: tuple[Node, ...]
    levels: tuple[tuple[object, ...], ...]
    table: Floats
    cell: Indices
    share: Floats
    arms: tuple[Indices, ...]
    low: float
    high: float

    def chances(self, table: Floats) -> Floats:
        """Chance of the smaller and of the larger outcome under every level."""
        values = self.expression.evaluate(Joint(self.names, table))
        shape = table.shape[: len(self.arms)] + (1,) * (table.ndim - len(self.arms) - 1) + (2,)
        return np.asarray(np.broadcast_to(values, shape)[self.arms].reshape(-1, 2))

    def means(self, table: Floats) -> Floats:
        """Mean outcome under every level; refused where cells that matter are empty."""
        chances = self.chances(table)
        if np.abs(chances.sum(axis=1) - 1).max() > 1e-8:
            raise NoOverlapError(
                f"{self.owner}: overlap must hold: every condition of the formula needs rows, got "
                f"{self._empty()}; leave levels out or put some together"
            )
        return np.asarray(self.low + (self.high - self.low) * chances[:, 1])

    def influence(self) -> Floats:
        """What every row adds to the means, to first order."""
        flat = self.table.ravel()
        slopes = np.zeros((len(flat), len(self.arms[0])))
        for at in np.flatnonzero(flat > 0):
            # Towards the cell and away from it, by so little that no cell becomes negative.
            step, sides = 1e-4 * flat[at], []
            for h in (step, -step):
                moved = flat * (1 - h)
                moved[at] += h
                sides.append(self.chances(moved.reshape(self.table.shape))[:, 1])
            slopes[at] = (sides[0] - sides[1]) / (2 * step)
        low, high = slopes[2 * self.cell], slopes[2 * self.cell + 1]
        part = self.share[:, None]
        return np.asarray((self.high - self.low) * ((1 - part) * low + part * high))

    def _empty(self) -> str:
        """Conditions of the formula that no row fulfils."""
        joint, empty = Joint(self.names, self.table), []
        for symbol in dict.fromkeys(self.expression.symbols):
            if symbol.given:
                empty += [self._said(symbol, at) for at in np.argwhere(_unmet(joint, symbol))]
        if not empty:
            return "an empty cell"
        more = f" and {len(empty) - 3} more" if len(empty) > 3 else ""
        return f"none with {'; '.join(empty[:3])}{more}"

    def _said(self, symbol: Probability, at: Indices) -> str:
        shown = (
            f"{name} = {self.levels[axis][at[axis]]}"
            for axis, name in enumerate(self.names)
            if name in symbol.given
        )
        return f"{', '.join(shown)} for {symbol}"


def _unmet(joint: Joint, symbol: Probability) -> Bools:
    return np.asarray(joint.marginal(symbol.given) <= 0)


def counted(data: EffectData, estimand: Estimand, expression: Expression, most: int) -> Counts:
    """The table of the treatments, the other columns and the outcome."""
    outcome = estimand.outcome[0]
    low, high = float(data.y.min()), float(data.y.max())
    known = any(outcome in symbol.given for symbol in expression.symbols)
    if known and not np.isin(data.y, (low, high)).all():
        need = "of two levels for a formula that conditions on it"
        raise check.fail(data.owner, f"outcome {outcome!r}", need, expression)
    share = (data.y - low) / (high - low if high > low else 1.0)
    single = len(estimand.treatment) == 1
    settings = [(level,) if single else level for level in data.levels]
    axes: list[tuple[tuple[object, ...], Indices]] = []
    arms: list[Indices] = []
    for j in range(len(estimand.treatment)):
        values = list(dict.fromkeys(setting[j] for setting in settings))
        place = np.array([values.index(setting[j]) for setting in settings])
        axes.append((tuple(values), place[data.codes]))
        arms.append(place)
    others = formula_columns(estimand)
    for name, values in zip(others, data.strata, strict=False):
        axes.append(_coded(data.owner, name, values, most))
    shape = tuple(len(values) for values, _ in axes)
    size = int(np.prod(shape, dtype=np.float64))
    if 2 * size > MOST_CELLS:
        need = f"of at most {MOST_CELLS} combinations of levels for method 'plugin'"
        raise check.fail(data.owner, "frame", need, 2 * size)
    cell = np.ravel_multi_index(tuple(codes for _, codes in axes), shape)
    halves = [np.bincount(cell, data.weight * part, size) for part in (1 - share, share)]
    table = np.stack(halves, axis=1).reshape(*shape, 2) / data.n
    return Counts(
        data.owner, expression, (*estimand.treatment, *others, outcome),
        (*(values for values, _ in axes), (low, high)), table, cell, share, tuple(arms), low, high,
    )  # fmt: skip


def _coded(owner: str, name: Node, values: Array, most: int) -> tuple[tuple[object, ...], Indices]:
    held, codes = np.unique(
        values.astype(str) if values.dtype.kind == "O" else values, return_inverse=True
    )
    if len(held) > most:
        need = f"of at most {most} levels for method 'plugin'"
        raise check.fail(owner, f"column {name!r}", need, len(held))
    return tuple(held.tolist()), codes.astype(np.int64)
