"""Causal additive models with normal noise, by likelihood."""

from typing import Any, Self

import numpy as np
from scipy.stats import normaltest

from margin.causal.discovery._discoverer import Discoverer, graph_of
from margin.causal.discovery._table import Table
from margin.causal.discovery.mechanisms._additive_columns import AdditiveColumns
from margin.causal.discovery.mechanisms._greedy_order import (
    bends,
    grow,
    near_columns,
    significant,
)
from margin.core import Card, Solution, Status, atomic, check

_LEAST_ROWS = 20


class CAM(Discoverer):
    r"""Causal additive model: sums of smooth functions and normal noise.

    .. math:: x_i = \sum_{j \in pa(i)} f_{ij}(x_j) + e_i, \qquad e_i \sim N(0, \sigma_i^2)

    Minimises :math:`\sum_i \log \hat\sigma_i` over acyclic graphs by adding the arrow that gains
    most, among the columns that help to predict a target; then every cause whose function is not
    significant goes. Where functions bend, the direction follows from the data.

    Parameters
    ----------
    alpha : float, default=0.001
        Level of the F tests by which causes stay.
    n_knots : int, default=5
        Knots of every function.
    n_candidates : int, default=10
        Most columns that are tried as causes of one, chosen by forward selection.
    required, forbidden : list of (cause, effect), optional
        Arrows that must be, or must not be.
    tiers : list of lists, optional
        Groups of columns from early to late; no arrow points to an earlier group.

    Attributes
    ----------
    graph_ : CausalGraph
        Arrows from causes to effects.
    adjacency_ : ndarray of shape (n_columns, n_columns)
        Entry [i, j]: 1 where column j is a cause of column i.
    order_ : tuple
        Names of the columns, causes first.
    p_values_ : dict of (cause, effect) to float
        p-value of the function of every arrow.
    fit_report_ : FitReport
        Gain in likelihood of every arrow that was tried; arrows that may point either way.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    Rows are read once, for the inner products of all spline columns; an arrow then costs
    :math:`O(p)` small linear systems.

    References
    ----------
    Bühlmann, Peters and Ernest, "CAM: causal additive models, high-dimensional order search and
    penalized regression", Annals of Statistics 42 (2014).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.causal import CAM
    >>> rng = np.random.default_rng(0)
    >>> cause = rng.normal(size=500)
    >>> effect = np.sin(2 * cause) + 0.5 * rng.normal(size=500)
    >>> CAM().fit(np.column_stack([effect, cause])).graph_.directed
    ((1, 0),)
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(
        self,
        *,
        alpha: float = 0.001,
        n_knots: int = 5,
        n_candidates: int = 10,
        required: Any = None,
        forbidden: Any = None,
        tiers: Any = None,
    ) -> None:
        self.alpha = alpha
        self.n_knots = n_knots
        self.n_candidates = n_candidates
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn order and graph.

        Parameters
        ----------
        X : pandas or polars frame, or two-dimensional array
            Numbers; rows with NaN are left out, which the report says, and 20 must remain.
        y : ignored

        Returns
        -------
        self
        """
        check.params(self, fraction="alpha", count="n_knots n_candidates")
        if self.n_knots < 3:
            raise check.fail(self, "n_knots", "an integer of at least 3", self.n_knots)
        table = Table.of("CAM", X)
        if len(table.values) < _LEAST_ROWS:
            raise check.fail(self, "X", f"at least {_LEAST_ROWS} rows", len(table.values))
        table.refuse_collinear("CAM")
        known = self._knowledge(table.names)
        columns = AdditiveColumns.of(table.standardised(), int(self.n_knots))

        grown = grow(columns, near_columns(columns, int(self.n_candidates)), known)

        p, names = len(table.names), table.names
        self.adjacency_ = np.zeros((p, p))
        self.p_values_: dict[tuple[Any, Any], float] = {}
        for i, causes in enumerate(grown.parents):
            must = known.required[:, i] != 0
            kept, p_values = significant(columns, i, causes, must, float(self.alpha))
            self.adjacency_[i, kept] = 1.0
            self.p_values_ |= {(names[j], names[i]): value for j, value in p_values.items()}
        self.order_ = tuple(names[i] for i in grown.order)
        self.graph_ = graph_of(self.adjacency_, names)
        self._keep_names(X, names)
        solution = Solution(
            x=grown.order,
            status=Status.CONVERGED,
            n_iter=len(grown.gains),
            objective=-float(sum(grown.gains)),
            trace={"objective": -np.cumsum(grown.gains)},
            solver="greedy additive likelihood",
        )
        notes = (*self._notes(columns, names), *table.notes)
        self.fit_report_ = check.report(self, solution, notes)
        return self

    def _notes(self, columns: AdditiveColumns, names: tuple[Any, ...]) -> tuple[str, ...]:
        """Arrows along straight lines between columns of normal noise."""
        open_arrows = []
        for i, row in enumerate(self.adjacency_):
            causes = np.flatnonzero(row).tolist()
            if not causes or normaltest(columns.residual(i, causes)).pvalue <= 0.05:
                continue
            open_arrows += [
                f"{names[j]!r} -> {names[i]!r}"
                for j in causes
                if bends(columns, i, causes, j) > 0.05
            ]
        if not open_arrows:
            return ()
        listed = ", ".join(open_arrows[:6]) + (", …" if len(open_arrows) > 6 else "")
        return (f"straight lines with normal noise, which may point either way: {listed}",)
