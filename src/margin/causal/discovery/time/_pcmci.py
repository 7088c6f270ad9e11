"""Links of series by tests given the past of both ends."""

from typing import Any, Self

import numpy as np

from margin.causal.discovery._discoverer import Discoverer
from margin.causal.discovery.time._lagged_table import LaggedTable, lag_names
from margin.causal.discovery.time._time_series_graph import TimeSeriesGraph
from margin.core import Card, Solution, Status, atomic, check
from margin.core.types import Bools, Floats
from margin.search import (
    KCI,
    FisherZ,
    IndependenceTest,
    Knowledge,
    MomentaryTests,
    Moments,
    momentary_tests,
)


class PCMCI(Discoverer):
    r"""Links from the past by momentary conditional independence.

    First a condition is selected for every variable from its past; then a link is tested given
    the conditions of both of its ends,

    .. math:: x_i(t - \tau) \perp x_j(t) \mid C_j(t) \setminus x_i(t - \tau),\ C_i(t - \tau)

    which takes away what each series owes to its own past, so that tests keep their level.

    Parameters
    ----------
    max_lag : int, default=1
        Most moments back.
    alpha : float, default=0.01
        Level of a link, or share of false links among all, with ``fdr``.
    condition_alpha : float, default=0.2
        Level of the selection of conditions; generous, as conditions too many only cost power.
    test : "fisher-z", "kci" or callable, default="fisher-z"
        Partial correlation, the kernel test, or what makes a test from an array of columns.
    fdr : bool, default=True
        Whether p-values are adjusted by Benjamini and Hochberg's rule.
    contemporaneous : bool, default=False
        Whether links within a moment are looked for; they get no direction, and may stand for a
        chain within the moment.
    required, forbidden : list of (cause, effect), optional
        Pairs of variables with a link from the past that must be (at the lag of the smallest
        p-value), or must not be at any lag.
    tiers : list of lists, optional
        Groups of variables from early to late; none acts on an earlier group.

    Attributes
    ----------
    graph_ : TimeSeriesGraph
        Arrows from the past, undirected links within a moment.
    p_values_ : ndarray of shape (max_lag + 1, n_columns, n_columns)
        Entry [lag, i, j]: p-value, adjusted with ``fdr``, of the link from j to i; 1 where none
        was tested.
    conditions_ : dict of column to tuple of (column, lag)
        Condition selected for each variable, the strongest first.
    fit_report_ : FitReport
        Number of tests; gaps.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    Series in a list never touch: no lag reaches from one into another. Moments with a gap (NaN)
    within ``2 * max_lag`` before them are left out.

    References
    ----------
    Runge, Nowack, Kretschmer, Flaxman and Sejdinovic, "Detecting and quantifying causal
    associations in large nonlinear time series datasets", Science Advances 5 (2019).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.causal import PCMCI
    >>> x = np.random.default_rng(0).normal(size=(500, 2))
    >>> for t in range(1, 500):
    ...     x[t] += [0.7 * x[t - 1, 0], 0.5 * x[t - 1, 0]]
    >>> PCMCI(max_lag=2).fit(x).graph_.lagged
    ((0, 1, 0), (0, 1, 1))
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(
        self,
        *,
        max_lag: int = 1,
        alpha: float = 0.01,
        condition_alpha: float = 0.2,
        test: Any = "fisher-z",
        fdr: bool = True,
        contemporaneous: bool = False,
        required: Any = None,
        forbidden: Any = None,
        tiers: Any = None,
    ) -> None:
        self.max_lag = max_lag
        self.alpha = alpha
        self.condition_alpha = condition_alpha
        self.test = test
        self.fdr = fdr
        self.contemporaneous = contemporaneous
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the links.

        Parameters
        ----------
        X : frame or array of shape (n_moments, n_columns), or list of them
            One series or several; NaN where a value is not known.
        y : ignored

        Returns
        -------
        self
        """
        check.params(
            self, fraction="alpha condition_alpha", count="max_lag", flag="fdr contemporaneous"
        )
        table = LaggedTable.of("PCMCI", X, 2 * int(self.max_lag))
        known = self._knowledge(table.names)
        names, p = table.names, len(table.names)

        tests = momentary_tests(
            self._independence_test(table),
            p,
            int(self.max_lag),
            float(self.condition_alpha),
            bool(self.contemporaneous),
        )

        self.p_values_ = _p_values(tests, known, p, int(self.max_lag), bool(self.fdr))
        self.graph_ = _graph(_links(self.p_values_, known, float(self.alpha)), names)
        self.conditions_ = {
            name: tuple((names[v], lag) for v, lag in condition)
            for name, condition in zip(names, tests.conditions, strict=True)
        }
        self._keep_names(X, names)
        notes: tuple[str, ...] = (f"{tests.n_tests} tests",)
        if table.n_gaps:
            notes = (*notes, f"{table.n_gaps} moments with a gap left out")
        solution = Solution(
            x=self.p_values_,
            status=Status.CONVERGED,
            n_iter=tests.n_tests,
            objective=float(len(self.graph_.lagged)),
            solver="momentary conditional independence",
        )
        self.fit_report_ = check.report(self, solution, notes)
        return self

    def _independence_test(self, table: LaggedTable) -> IndependenceTest:
        if isinstance(self.test, str) and self.test == "fisher-z":
            columns = lag_names(table.names, table.depth)
            Z = table.standardised
            covariance = np.cov(Z, rowvar=False, ddof=0)
            return FisherZ(Moments(columns, Z.mean(axis=0), covariance, float(len(Z))))
        if isinstance(self.test, str) and self.test == "kci":
            return KCI(table.standardised)
        if not callable(self.test):
            raise check.fail(self, "test", '"fisher-z", "kci" or a callable', self.test)
        given = self.test(table.standardised)
        if not isinstance(given, IndependenceTest):
            need = "a callable that makes an IndependenceTest"
            raise check.fail(self, "test", need, given)
        return given


def adjusted(p_values: Floats) -> Floats:
    """Benjamini and Hochberg's: the least share of false links at which each would be accepted.

    Examples
    --------
    >>> adjusted(np.array([0.01, 0.04, 0.03, 0.9]))
    array([0.04      , 0.05333333, 0.05333333, 0.9       ])
    """
    order = np.argsort(p_values)[::-1]
    scaled = p_values[order] * len(p_values) / np.arange(len(p_values), 0, -1)
    answer = np.empty_like(p_values)
    answer[order] = np.minimum(1.0, np.minimum.accumulate(scaled))
    return answer


def _p_values(tests: MomentaryTests, known: Knowledge, p: int, max_lag: int, fdr: bool) -> Floats:
    keys = [key for key in tests.results if not known.forbidden[key[0], key[2]] or key[1] == 0]
    values = np.array([tests.results[key].p_value for key in keys])
    values = adjusted(values) if fdr else values
    array = np.ones((max_lag + 1, p, p))
    for (cause, lag, effect), value in zip(keys, values, strict=True):
        array[lag, effect, cause] = value
        if lag == 0:
            array[0, cause, effect] = value
    return array


def _links(p_values: Floats, known: Knowledge, alpha: float) -> Bools:
    links = p_values <= alpha
    for cause, effect in np.argwhere(known.required).tolist():
        links[1 + int(np.argmin(p_values[1:, effect, cause])), effect, cause] = True
    links[0] &= known.possible != 0
    return np.asarray(links)


def _graph(links: Bools, names: tuple[Any, ...]) -> TimeSeriesGraph:
    lagged = tuple(
        (names[j], int(lag) + 1, names[i]) for lag, i, j in np.argwhere(links[1:]).tolist()
    )
    now = tuple((names[i], names[j]) for i, j in np.argwhere(np.triu(links[0], 1)).tolist())
    return TimeSeriesGraph(names, len(links) - 1, lagged, undirected=now)
