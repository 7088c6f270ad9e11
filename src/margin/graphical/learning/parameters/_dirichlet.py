"""Full Bayesian parameters of a network of known structure."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gammaln
from scipy.stats import beta
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Solution, Status, atomic, check, random
from margin.core.types import Floats
from margin.graphical.learning.structure._table import refuse_numbers
from margin.search import Categories, Knowledge, continuous_columns

MOST_CELLS = 2**26
_NAME = "DirichletNetwork"


class DirichletNetwork(BaseEstimator):
    r"""Posterior of the tables of a Bayesian network under Dirichlet priors.

    Priors that factorise over families and configurations of parents stay so:
    :math:`\theta_{\cdot \mid u} \mid D \sim \mathrm{Dir}(a_{\cdot \mid u} + N_{u, \cdot})`, and
    the prediction averages over it,
    :math:`p(x \mid u, D) = (N_{u, x} + a_{x \mid u}) / \sum_x (N_{u, x} + a_{x \mid u})`
    (graphical.18).

    Parameters
    ----------
    edges : DAG or list of (parent, child)
        The structure.
    prior : {"bdeu", "k2"} or float, default="bdeu"
        Imaginary observations: ``equivalent_sample_size`` per family spread over its cells, one per
        cell, or that many per cell.
    equivalent_sample_size : float, default=10.0
        Weight of the BDeu prior.

    Attributes
    ----------
    alpha_ : dict of name to ndarray
        Posterior Dirichlet parameters, axes (parents, node).
    parents_ : dict of name to tuple
        Parents of each node, in the order of the axes.
    states_ : dict of name to tuple
        Values of each column, in the order of the axes.
    log_evidence_ : float
        Log marginal likelihood of the data, the BDeu or K2 score.
    fit_report_ : FitReport
        The method.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    A family is counted on the rows that know all of it.

    Examples
    --------
    >>> from margin.graphical import DirichletNetwork
    >>> model = DirichletNetwork(edges=[], prior=1.0)
    >>> model = model.fit([["h"], ["h"], ["h"]], states={0: ["h", "t"]})
    >>> model.tables()[0].tolist()
    [0.8, 0.2]
    """

    card = Card(tasks=("density",), input="categorical")

    def __init__(
        self, *, edges: Any = (), prior: Any = "bdeu", equivalent_sample_size: float = 10.0
    ) -> None:
        self.edges = edges
        self.prior = prior
        self.equivalent_sample_size = equivalent_sample_size

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, states: Any = None) -> Any:
        """Count the families.

        Parameters
        ----------
        X : pandas or polars frame, or two-dimensional array
            Categories; missing entries are unknown values.
        y : ignored
        sample_weight : array-like of shape (n_rows,), optional
            Non-negative weights.
        states : mapping of column to states, optional
            States that may not all occur, in the order of the tables.
        """
        check.params(self, positive="equivalent_sample_size")
        if self.prior not in ("bdeu", "k2"):
            check.params(self, positive="prior")
        refuse_numbers(_NAME, [c for c in continuous_columns(X) if c not in (states or {})])
        data = Categories.of(_NAME, X, sample_weight=sample_weight, states=states).compressed()
        arcs = getattr(self.edges, "edges", self.edges)
        graph = Knowledge.of(_NAME, data.names, required=arcs).required
        cards = data.cards
        alpha: dict[Any, Floats] = {}
        parents: dict[Any, tuple[Any, ...]] = {}
        evidence = 0.0
        for j, name in enumerate(data.names):
            above = np.flatnonzero(graph[:, j]).tolist()
            cells = float(np.prod(cards[[*above, j]].astype(float)))
            if cells > MOST_CELLS:
                requirement = f"a graph with tables of at most {MOST_CELLS} entries"
                what = f"{cells:.0f} for {name!r} ({len(above)} parents)"
                raise check.fail(self, "edges", requirement, what)
            counts = data.counts([*above, j])
            a = self._pseudo_count(cells)
            evidence += _log_evidence(counts, a)
            alpha[name] = counts + a
            parents[name] = tuple(data.names[i] for i in above)
        self.alpha_, self.parents_ = alpha, parents
        self.states_ = dict(zip(data.names, data.states, strict=True))
        self.log_evidence_ = evidence
        self.n_features_in_ = len(data.names)
        if hasattr(X, "columns"):
            self.feature_names_in_ = np.array(data.names, dtype=object)
        trace = np.array([evidence])
        solution = Solution(
            trace, Status.CONVERGED, 1, evidence, {"objective": trace}, solver="conjugate counting"
        )
        self.fit_report_ = check.report(self, solution)
        return self

    def _pseudo_count(self, cells: float) -> float:
        if self.prior == "bdeu":
            return float(self.equivalent_sample_size) / cells
        return 1.0 if self.prior == "k2" else float(self.prior)

    def tables(self) -> dict[Any, Floats]:
        """Predictive tables, the posterior means, by node; axes (parents, node)."""
        check_is_fitted(self)
        return {n: a / a.sum(axis=-1, keepdims=True) for n, a in self.alpha_.items()}

    def sample_tables(self, random_state: Any = None) -> dict[Any, Floats]:
        """One draw of all tables from the posterior."""
        check_is_fitted(self)
        rng = random.generator(random_state)
        drawn = {n: rng.standard_gamma(a) for n, a in self.alpha_.items()}
        return {n: g / g.sum(axis=-1, keepdims=True) for n, g in drawn.items()}

    def interval(self, name: Any, level: float = 0.95) -> tuple[Floats, Floats]:
        """Central credible interval of every entry of a node's table."""
        check_is_fitted(self)
        a = self.alpha_[name]
        rest = np.maximum(a.sum(axis=-1, keepdims=True) - a, np.finfo(float).tiny)
        tail = (1 - level) / 2
        return np.asarray(beta.ppf(tail, a, rest)), np.asarray(beta.ppf(1 - tail, a, rest))

    def log_prob(self, X: Any) -> Floats:
        """Log predictive probability of each complete row."""
        check_is_fitted(self)
        data = Categories.of(_NAME, X, states=self.states_)
        rows = data.evidence()
        if (rows < 0).any():
            raise check.fail(self, "X", "without unknown values; query a BayesianNetwork", "NaN")
        index = {name: at for at, name in enumerate(self.alpha_)}
        total = np.zeros(len(rows))
        for name, table in self.tables().items():
            columns = [index[n] for n in (*self.parents_[name], name)]
            total += np.log(table[tuple(rows[:, c] for c in columns)])
        return total


def _log_evidence(counts: Floats, a: float) -> float:
    """Log marginal likelihood of one family's counts under a symmetric Dirichlet prior."""
    total, size = counts.sum(axis=-1), a * counts.shape[-1]
    value = (gammaln(size) - gammaln(size + total)).sum()
    return float(value + (gammaln(a + counts) - gammaln(a)).sum())
