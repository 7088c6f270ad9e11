"""Series with linear equations and noise that is not normal."""

from typing import Any, Self

import numpy as np

from margin.causal.discovery._discoverer import Discoverer
from margin.causal.discovery._table import Table
from margin.causal.discovery.lingam._elimination import eliminate
from margin.causal.discovery.lingam._linear_discoverer import normality_notes
from margin.causal.discovery.lingam._linear_order import LinearOrder, linear_order
from margin.causal.discovery.time._lagged_table import LaggedTable
from margin.causal.discovery.time._time_series_graph import TimeSeriesGraph
from margin.core import Card, Solution, Status, atomic, check, threads
from margin.core.types import Floats
from margin.linalg import lstsq
from margin.search import Knowledge

_RANK = 1e-12


class VARLiNGAM(Discoverer):
    r"""Linear effects within a moment and from the moments before (causal.11).

    .. math:: x(t) = B_0 x(t) + \sum_{\tau=1}^{k} B_\tau x(t - \tau) + e(t)

    with acyclic :math:`B_0` and independent noises that are not normal. What a vector
    autoregression leaves follows :math:`(I - B_0)^{-1} e(t)`, so that :class:`DirectLiNGAM` finds
    the order; along it every variable is regressed on those before it and on the past.

    Parameters
    ----------
    max_lag : int, default=1
        Most moments back.
    criterion : {"bic", None}, default="bic"
        How many lags are used: those of least BIC, all compared on the same rows, or ``max_lag``.
    prune : {"bic", None}, default="bic"
        Whether effects that BIC does without are taken out.
    required, forbidden : list of (cause, effect), optional
        Arrows within a moment that must be, or must not be.
    tiers : list of lists, optional
        Groups of variables from early to late, for arrows within a moment.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Attributes
    ----------
    graph_ : TimeSeriesGraph
        Arrows from the past and within a moment.
    adjacency_ : ndarray of shape (n_lags + 1, n_columns, n_columns)
        Entry [lag, i, j]: direct effect of j, ``lag`` moments before, on i.
    order_ : tuple
        Names of the variables within a moment, causes first.
    n_lags_ : int
        Lags that were used.
    fit_report_ : FitReport
        Evidence against each place of the order; gaps; noise that looks normal.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    Series in a list never touch: no lag reaches from one into another. Moments whose past or
    present has a gap (NaN) are left out.

    References
    ----------
    Hyvärinen, Zhang, Shimizu and Hoyer, "Estimation of a structural vector autoregression model
    using non-Gaussianity", JMLR 11 (2010).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.causal import VARLiNGAM
    >>> e = np.random.default_rng(0).uniform(-1, 1, (2000, 2))
    >>> x = np.zeros((2000, 2))
    >>> for t in range(1, 2000):
    ...     x[t, 0] = 0.5 * x[t - 1, 0] + e[t, 0]
    ...     x[t, 1] = 0.8 * x[t, 0] + 0.4 * x[t - 1, 1] + e[t, 1]
    >>> model = VARLiNGAM().fit(x)
    >>> model.graph_.directed, model.graph_.lagged
    (((0, 1),), ((0, 1, 0), (1, 1, 1)))
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(
        self,
        *,
        max_lag: int = 1,
        criterion: str | None = "bic",
        prune: str | None = "bic",
        required: Any = None,
        forbidden: Any = None,
        tiers: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.max_lag = max_lag
        self.criterion = criterion
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
        X : frame or array of shape (n_moments, n_columns), or list of them
            One series or several; NaN where a value is not known.
        y : ignored

        Returns
        -------
        self
        """
        choices: dict[str, tuple[Any, ...]] = {"prune": ("bic", None), "criterion": ("bic", None)}
        check.params(self, count="max_lag", one_of=choices)
        longest = LaggedTable.of("VARLiNGAM", X, int(self.max_lag))
        known = self._knowledge(longest.names)
        n_lags = best_lag(longest) if self.criterion else int(self.max_lag)
        table = LaggedTable.of("VARLiNGAM", X, n_lags)
        Z, p, n = table.standardised, len(table.names), len(table.values)
        Z = Z - Z.mean(axis=0)

        noise = innovations(Z, p)
        spread = noise.std(axis=0)
        if (spread < 1e-6).any():
            name = table.names[int(np.argmin(spread))]
            raise check.fail(self, f"column {name!r}", "not determined by the past", "no noise")
        Table(table.names, noise).refuse_collinear("VARLiNGAM")
        search = linear_order(noise / spread, known, threads.count(self.n_jobs))
        effects = lagged_effects(Z, search.order, known, np.log(n) if self.prune else 0.0)

        units = table.values[:, :p].std(axis=0)
        blocks = effects.reshape(p, n_lags + 1, p).transpose(1, 0, 2)
        self.adjacency_ = blocks * (units[:, None] / units)
        self.order_ = tuple(table.names[i] for i in search.order)
        self.n_lags_ = n_lags
        self.graph_ = _graph(blocks, table.names)
        self._keep_names(X, table.names)
        notes = normality_notes(Z[:, :p] - Z @ effects.T, table.names)
        if table.n_gaps:
            notes = (*notes, f"{table.n_gaps} moments with a gap left out")
        self.fit_report_ = check.report(self, _solution(search), notes)
        return self


def innovations(Z: Floats, p: int) -> Floats:
    """What a vector autoregression leaves of the first ``p`` columns."""
    past = Z[:, p:]
    rest = Z[:, :p] - past @ lstsq(past, Z[:, :p], _RANK)
    return np.asarray(rest - rest.mean(axis=0))


def best_lag(table: LaggedTable) -> int:
    r"""Lags of least :math:`n \log |\Sigma| + p^2 k \log n`, on the same rows for all."""
    p, n = len(table.names), len(table.values)
    Z = table.standardised - table.standardised.mean(axis=0)
    prices = []
    for lags in range(1, table.depth + 1):
        rest = innovations(Z[:, : p * (lags + 1)], p)
        prices.append(n * np.linalg.slogdet(rest.T @ rest / n)[1] + p * p * lags * np.log(n))
    return 1 + int(np.argmin(prices))


def lagged_effects(
    Z: Floats, order: tuple[int, ...], knowledge: Knowledge, penalty: float
) -> Floats:
    """Effects of all columns on those of the present: of earlier ones in order, and of the past."""
    p, width = len(order), Z.shape[1]
    covariance = Z.T @ Z / len(Z)
    effects = np.zeros((p, width))
    for place, target in enumerate(order):
        now = [j for j in order[:place] if not knowledge.forbidden[j, target]]
        causes = np.array([*now, *range(p, width)], dtype=int)
        kept = np.zeros(len(causes), dtype=bool)
        kept[: len(now)] = knowledge.required[now, target] != 0
        effects[target, causes] = eliminate(covariance, len(Z), target, causes, kept, penalty)
    return effects


def _graph(blocks: Floats, names: tuple[Any, ...]) -> TimeSeriesGraph:
    lagged = tuple(
        (names[j], int(lag) + 1, names[i]) for lag, i, j in np.argwhere(blocks[1:]).tolist()
    )
    now = tuple((names[j], names[i]) for i, j in np.argwhere(blocks[0]).tolist())
    return TimeSeriesGraph(names, len(blocks) - 1, lagged, now)


def _solution(search: LinearOrder) -> Solution:
    return Solution(
        x=search.order,
        status=Status.CONVERGED,
        n_iter=len(search.order),
        objective=float(sum(search.penalties)),
        trace={"objective": np.array(search.penalties)},
        solver="autoregression, pairwise likelihood ratios",
    )
