"""Causal graphs of any functions with additive noise, by tests of residuals."""

from typing import Any, Self

import numpy as np
from sklearn.base import clone

from margin.causal.discovery._discoverer import Discoverer, graph_of
from margin.causal.discovery._table import Table
from margin.causal.discovery.mechanisms._additive_columns import (
    AdditiveColumns,
    AdditiveRegression,
)
from margin.causal.discovery.mechanisms._dependence import measure
from margin.causal.discovery.mechanisms._residual_order import (
    Price,
    Regress,
    ResidualGraph,
    Trials,
    residual_graph,
)
from margin.core import Card, Solution, Status, atomic, check, threads
from margin.core.types import Floats

_LEAST_ROWS = 20


class RESIT(Discoverer):
    r"""Regression with subsequent independence test (causal.12).

    .. math:: x_i = f_i(x_{pa(i)}) + e_i

    with independent noises. Phase one finds the order from its end: the last column is that whose
    residuals, after a regression on all others, depend least on them. Phase two takes out of the
    regression of each column every parent without which the residuals are still independent of
    *all* columns before it. Functions must not be lines with normal noise.

    Parameters
    ----------
    regressor : "additive" or estimator, default="additive"
        Regression of a column on others: a sum of smooth functions with strengths by restricted
        likelihood, or any regressor of scikit-learn's kind, which is cloned.
    test : "hsic" or callable, default="hsic"
        Test of residuals against earlier columns: the Hilbert–Schmidt test of all of them at once,
        or what makes a test from an array of columns, such as :class:`margin.search.HSIC` itself or
        ``partial(HSIC, p_value="permutation")``; that is asked pair by pair and its p-values are
        corrected for their number.
    alpha : float, default=0.01
        Level: a parent goes if the p-value without it is larger.
    n_knots : int, default=8
        Most knots of a function of the additive regression: fewer, but at least 3, where all
        columns together would get more spline columns than there are rows.
    max_work : float, default=5e11
        Most multiplications of regressions and tests, roughly: some 20 s, enough for 60 columns of
        300 rows. Own regressions and tests count as if they were the usual ones.
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
    removal_p_values_ : dict of (cause, effect) to float
        p-value of the residuals of the effect without the cause, where that was tried.
    noise_p_values_ : ndarray of shape (n_columns,)
        p-value of the final residuals of each column against all before it: small ones contradict
        the model.
    fit_report_ : FitReport
        Numbers of regressions and tests; columns that contradict the model.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    :math:`p^2 - 1` regressions and tests for p columns; a test takes time and memory of the square
    of the rows, a regression time of the cube of its spline columns. The functions themselves:
    ``AdditiveNoiseSEM(model.graph_).fit(frame)``.

    References
    ----------
    Peters, Mooij, Janzing and Schölkopf, "Causal discovery with continuous additive noise models",
    JMLR 15 (2014).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.causal import RESIT
    >>> rng = np.random.default_rng(0)
    >>> cause = rng.uniform(-2, 2, 300)
    >>> effect = cause**3 + rng.normal(size=300)
    >>> RESIT().fit(np.column_stack([effect, cause])).graph_.directed
    ((1, 0),)
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(
        self,
        *,
        regressor: Any = "additive",
        test: Any = "hsic",
        alpha: float = 0.01,
        n_knots: int = 8,
        max_work: float = 5e11,
        required: Any = None,
        forbidden: Any = None,
        tiers: Any = None,
    ) -> None:
        self.regressor = regressor
        self.test = test
        self.alpha = alpha
        self.n_knots = n_knots
        self.max_work = max_work
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
        check.params(self, fraction="alpha", count="n_knots", positive="max_work")
        if self.n_knots < 3:
            raise check.fail(self, "n_knots", "an integer of at least 3", self.n_knots)
        dependence = measure("RESIT", self.test)
        table = Table.of("RESIT", X)
        if len(table.values) < _LEAST_ROWS:
            raise check.fail(self, "X", f"at least {_LEAST_ROWS} rows", len(table.values))
        table.refuse_collinear("RESIT")
        known = self._knowledge(table.names)
        Z = table.standardised()

        with threads.single_blas():  # many small systems, each too short to be shared
            trials = Trials(
                Z, self._regression(Z), dependence, self._price(Z), float(self.max_work)
            )
            learnt = residual_graph(trials, known, float(self.alpha))

        p = len(table.names)
        self.adjacency_ = np.zeros((p, p))
        for i, parents in enumerate(learnt.parents):
            self.adjacency_[i, list(parents)] = 1.0
        self.order_ = tuple(table.names[i] for i in learnt.order)
        self.graph_ = graph_of(self.adjacency_, table.names)
        self.removal_p_values_ = {
            (table.names[j], table.names[i]): p for (j, i), p in learnt.removal_p.items()
        }
        self.noise_p_values_ = learnt.noise_p
        self._keep_names(X, table.names)
        self.fit_report_ = check.report(self, self._solution(learnt), self._notes(learnt, table))
        return self

    def _regression(self, Z: Floats) -> Regress:
        if isinstance(self.regressor, str) and self.regressor == "additive":
            return AdditiveRegression(AdditiveColumns.of(Z, self._knots(Z)))
        if not (hasattr(self.regressor, "fit") and hasattr(self.regressor, "predict")):
            raise check.fail(self, "regressor", '"additive" or a regressor', self.regressor)

        def residual(target: int, causes: Any) -> Floats:
            x = Z[:, target]
            if not len(causes):
                return np.asarray(x - x.mean())
            model = clone(self.regressor).fit(Z[:, list(causes)], x)
            return np.asarray(x - model.predict(Z[:, list(causes)]), dtype=np.float64)

        return residual

    def _knots(self, Z: Floats) -> int:
        n_rows, n_columns = Z.shape
        return int(max(3, min(int(self.n_knots), n_rows // n_columns - 1)))

    def _price(self, Z: Floats) -> Price:
        """Multiplications of a regression, ten linear systems, and of a test."""
        n_rows, wide = len(Z), self._knots(Z) + 1

        def price(n_causes: int, n_columns: int) -> float:
            system = 1e6 + (n_causes * wide) ** 3
            return 10.0 * system + n_rows**2 * (20.0 + n_columns)

        return price

    def _notes(self, learnt: ResidualGraph, table: Table) -> tuple[str, ...]:
        notes = [f"{learnt.n_tests} regressions, each with a test"]
        refused = [
            f"{name!r} (p = {p:.2g})"
            for name, p in zip(table.names, learnt.noise_p, strict=True)
            if p <= self.alpha
        ]
        if refused:
            notes.append(
                f"residuals of {', '.join(refused)} depend on earlier columns: a hidden cause, "
                "noise that is not additive, or a regression too stiff or too supple"
            )
        return (*notes, *table.notes)

    def _solution(self, learnt: ResidualGraph) -> Solution:
        told = ""
        if not learnt.complete:
            told = (
                f"stopped after {learnt.n_tests} tests within max_work={self.max_work:g}: the rest "
                "of the order is provisional and parents that were not tried stay; raise max_work, "
                "lower n_knots, or give tiers or forbidden arrows"
            )
        return Solution(
            x=learnt.order,
            status=Status.CONVERGED if learnt.complete else Status.MAX_ITER,
            n_iter=learnt.n_tests,
            objective=float(np.min(learnt.noise_p, initial=1.0)),
            solver="tests of residuals",
            message=told,
        )
