"""Causal graphs of linear equations with non-Gaussian noise."""

from typing import Any, Self

import numpy as np

from margin.causal.discovery.lingam._linear_discoverer import LinearDiscoverer
from margin.causal.discovery.lingam._linear_order import linear_order
from margin.core import Card, Solution, Status, atomic, check, threads


class DirectLiNGAM(LinearDiscoverer):
    r"""Linear, non-Gaussian, acyclic model: order, effects and graph (causal.11).

    .. math:: x_i = \sum_{j \text{ before } i} B_{ij} x_j + e_i

    with independent noises, of which at most one is Gaussian. Then the order and B follow from
    the data: a cause is independent of what a regression on it leaves of its effect, and not the
    other way round. The first column is that for which the likelihood ratios of pairs speak least
    against "causes all others"; it is regressed out and the search goes on with the rest.

    Parameters
    ----------
    prune : {"bic", None}, default="bic"
        Whether causes that BIC does without are taken out of the regressions; otherwise every
        earlier column is a cause of every later one.
    required, forbidden : list of (cause, effect), optional
        Arrows that must be, or must not be.
    tiers : list of lists, optional
        Groups of columns from early to late; no arrow points to an earlier group.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Attributes
    ----------
    graph_ : CausalGraph
        Arrows from causes to effects.
    adjacency_ : ndarray of shape (n_columns, n_columns)
        Entry [i, j]: direct effect of column j on column i, in the units of the data.
    order_ : tuple
        Names of the columns, causes first.
    fit_report_ : FitReport
        Evidence against each place of the order, and how many pairs were compared.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    At most O(p^3 n) for p columns and n rows; a sum that is already worse than the best column is
    not finished, which leaves out most pairs and changes nothing. Normal noise of several columns
    makes the answer meaningless, which ``fit_report_`` notes; a hidden common cause does so
    without a sign of it: look at :func:`bootstrap_edges`.

    References
    ----------
    Shimizu et al., "DirectLiNGAM", JMLR 12 (2011). Hyvärinen and Smith, "Pairwise likelihood ratios
    for estimation of non-Gaussian structural equation models", JMLR 14 (2013).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.causal import DirectLiNGAM
    >>> rng = np.random.default_rng(0)
    >>> cause = rng.uniform(size=2000)
    >>> effect = 3 * cause + rng.uniform(size=2000)
    >>> model = DirectLiNGAM().fit(np.column_stack([effect, cause]))
    >>> model.order_, model.graph_.directed, float(model.adjacency_[0, 1].round(1))
    ((1, 0), ((1, 0),), 3.0)
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(
        self,
        *,
        prune: str | None = "bic",
        required: Any = None,
        forbidden: Any = None,
        tiers: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.prune = prune
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn order, effects and graph.

        Parameters
        ----------
        X : pandas or polars frame, or two-dimensional array
            Numbers, more rows than columns; rows with NaN are left out, which the report says.
        y : ignored

        Returns
        -------
        self
        """
        check.params(self, one_of={"prune": ("bic", None)})
        table, known, Z = self._read(X)
        search = linear_order(Z, known, threads.count(self.n_jobs))
        solution = Solution(
            x=search.order,
            status=Status.CONVERGED,
            n_iter=len(search.order),
            objective=float(sum(search.penalties)),
            trace={"objective": np.array(search.penalties)},
            solver="pairwise likelihood ratios",
        )
        self._keep(X, table, known, search.order, solution, (f"{search.n_pairs} pairs compared",))
        return self
