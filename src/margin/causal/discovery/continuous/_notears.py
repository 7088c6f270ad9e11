"""Causal graphs of linear equations by smooth optimisation."""

from dataclasses import replace
from typing import Any, Self

import numpy as np

from margin.causal.discovery._discoverer import Discoverer, graph_of
from margin.causal.discovery.continuous._acyclic_weights import acyclic_weights, without_cycles
from margin.causal.discovery.lingam._elimination import linear_effects
from margin.causal.discovery.scored._scored_columns import refuse_collinear
from margin.causal.graph._causal_graph import CausalGraph
from margin.core import Card, atomic, check
from margin.core.types import Bools, Floats
from margin.graphs import DAG, cpdag
from margin.search import Knowledge, Moments


class NOTEARS(Discoverer):
    r"""Linear graph by continuous optimisation over matrices of weights.

    .. math:: \min_W\ \ell(W) + \alpha \lVert W \rVert_1
        \quad\text{where}\quad -\log\det(I - W \circ W) = 0

    The condition says that there are no cycles, in terms of a smooth function, so that a graph is
    found without a search over graphs. What is left is a local minimum of a problem that is not
    convex; use it to compare with :class:`GES`, whose classes are exact, or :class:`DirectLiNGAM`.

    Parameters
    ----------
    noise : {"equal", "free"}, default="equal"
        Whether the noise of all columns has the same variance, in the units of the data: then all
        arrows have a direction. With ``"free"`` variances the likelihood of normal noise only
        determines an equivalence class, of which ``graph_`` is one member.
    alpha : float, default=0.02
        Price of a weight, in nats per row.
    threshold : float, default=0.1
        Weights below it are none, in standard deviations of the effect for each of the cause.
    prune : {"bic", None}, default="bic"
        Whether causes that BIC does without are taken out of the regressions along the graph.
    required, forbidden : list of (cause, effect), optional
        Arrows that must be, or must not be.
    tiers : list of lists, optional
        Groups of columns from early to late; no arrow points to an earlier group.
    max_iter : int, default=8
        Most steps of the path, each of which prices cycles ten times as high.
    tol : float, default=1e-6
        Weight of the cycles that counts as none.

    Attributes
    ----------
    graph_ : CausalGraph
        Arrows from causes to effects.
    adjacency_ : ndarray of shape (n_columns, n_columns)
        Entry [i, j]: direct effect of column j on column i by least squares along the graph, in the
        units of the data.
    weights_ : ndarray of shape (n_columns, n_columns)
        The same before thresholds and least squares.
    order_ : tuple
        Names of the columns, causes first.
    fit_report_ : FitReport
        Objective along the path and the weight of the cycles that is left; what speaks against
        the directions.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    O(p^3) for each evaluation, whatever the number of rows: only second moments matter. Unknown
    values are integrated out of these by EM. With ``noise="equal"`` the answer depends on the
    units: in simulations causes often vary less than their effects, and sorting the columns by
    variance then does as well; the report says where the graph agrees with that order.

    References
    ----------
    X. Zheng et al., "DAGs with NO TEARS", NeurIPS (2018). I. Ng et al., "On the role of sparsity
    and DAG constraints", NeurIPS (2020). K. Bello et al., "DAGMA: learning DAGs via M-matrices and
    a log-determinant acyclicity characterization", NeurIPS (2022). A. Reisach et al., "Beware of
    the simulated DAG!", NeurIPS (2021).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.causal import NOTEARS
    >>> rng = np.random.default_rng(0)
    >>> cause = rng.normal(size=500)
    >>> effect = 0.5 * cause + rng.normal(size=500)
    >>> model = NOTEARS().fit(np.column_stack([effect, cause]))
    >>> model.graph_.directed, float(model.adjacency_[0, 1].round(1))
    (((1, 0),), 0.5)
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(
        self,
        *,
        noise: str = "equal",
        alpha: float = 0.02,
        threshold: float = 0.1,
        prune: str | None = "bic",
        required: Any = None,
        forbidden: Any = None,
        tiers: Any = None,
        max_iter: int = 8,
        tol: float = 1e-6,
    ) -> None:
        self.noise = noise
        self.alpha = alpha
        self.threshold = threshold
        self.prune = prune
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers
        self.max_iter = max_iter
        self.tol = tol

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn graph and effects.

        Parameters
        ----------
        X : pandas or polars frame, or two-dimensional array
            Numbers; NaN where a value is not known.
        y : ignored
        sample_weight : array-like of shape (n_rows,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        choices: dict[str, tuple[Any, ...]] = {"noise": ("equal", "free"), "prune": ("bic", None)}
        check.params(
            self, nonnegative="alpha threshold", positive="tol", count="max_iter", one_of=choices
        )
        check.distinct_names(self, X)
        moments = Moments.of("NOTEARS", X, sample_weight=sample_weight)
        refuse_collinear("NOTEARS", moments, None)
        known, equal = self._knowledge(moments.names), self.noise == "equal"
        p, spread = len(moments.names), np.sqrt(np.diag(moments.covariance))
        units = np.full(p, np.sqrt(np.mean(spread**2))) if equal else spread
        free = (known.forbidden == 0) & ~np.eye(p, dtype=bool)
        must = known.required != 0
        price = np.where(must, 0.0, float(self.alpha))

        solution = acyclic_weights(
            moments.covariance / np.outer(units, units), free, price, must,
            equal=equal, max_iter=int(self.max_iter), tol=float(self.tol),
        )  # fmt: skip

        weights = solution.x * (units / units[:, None])
        strength = np.abs(weights) * spread[:, None] / spread
        arcs, order = without_cycles(strength, must, float(self.threshold))
        effects = _refitted(moments, order, arcs, known, self.prune)
        self.adjacency_, self.weights_ = effects, weights.T
        self.order_ = tuple(moments.names[i] for i in order)
        self.graph_ = graph_of(effects, moments.names)
        self._keep_names(X, moments.names)
        notes = order_notes(effects, spread) if equal else open_notes(self.graph_)
        self.fit_report_ = check.report(self, replace(solution, x=effects), notes)
        return self


def _refitted(
    moments: Moments, order: tuple[int, ...], arcs: Bools, known: Knowledge, prune: str | None
) -> Floats:
    """Effects by least squares along the arcs, entry [i, j]: of column j on column i."""
    spread = np.sqrt(np.diag(moments.covariance))
    along = Knowledge(known.required, (~arcs).astype(np.uint8))
    price = np.log(moments.n_rows) if prune else 0.0
    effects = linear_effects(moments.correlation, int(moments.n_rows), order, along, price)
    return np.asarray(effects * (spread[:, None] / spread))


def order_notes(effects: Floats, spread: Floats) -> tuple[str, ...]:
    """A note where all arrows point to the column that varies more.

    Examples
    --------
    >>> order_notes(np.array([[0.0, 0.0], [2.0, 0.0]]), np.array([1.0, 2.2]))
    ('every arrow points to a column of larger variance: other units may give other directions',)
    """
    arrows = np.argwhere(effects)
    if not len(arrows) or any(spread[j] >= spread[i] for i, j in arrows):
        return ()
    return ("every arrow points to a column of larger variance: other units may give other "
            "directions",)  # fmt: skip


def open_notes(graph: CausalGraph) -> tuple[str, ...]:
    """A note about the arrows that a member of the same class turns.

    Examples
    --------
    >>> open_notes(CausalGraph(["a", "b"], [("a", "b")]))
    ("normal noise leaves the directions of 'a' - 'b' open",)
    """
    turnable = cpdag(DAG(graph.nodes, graph.directed)).undirected
    if not turnable:
        return ()
    listed = ", ".join(f"{a!r} - {b!r}" for a, b in turnable[:6])
    more = ", …" if len(turnable) > 6 else ""
    return (f"normal noise leaves the directions of {listed}{more} open",)
