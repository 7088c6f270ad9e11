"""Histogram density estimation."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Solution, Status, atomic, check, random
from margin.core.types import Array, Floats
from margin.neighbors.density._cells import Grid, Histogram, best_bins, box

_RULES = ("auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt")


class HistogramDensity(BaseEstimator):
    r"""Density that is constant on the cells of a grid (neighbors.04).

    .. math:: \hat f(x) = \frac{w(c(x)) + \alpha}{V \big(\sum_c w(c) + \alpha M\big)}

    with the weight :math:`w(c)` of the rows in a cell, the volume :math:`V` of one and the number
    :math:`M` of all cells.

    Parameters
    ----------
    bins : int, list of int, "cv" or a rule of NumPy, default="cv"
        Cells along each column: one number for all, one for each, that with the least estimated
        squared error of the density (all columns alike), or a rule of
        :func:`numpy.histogram_bin_edges` for each column.
    alpha : float, default=0.0
        Rows that every cell holds in advance; above 0 no cell of the box has density zero.

    Attributes
    ----------
    edges_ : list of ndarray
        Borders of the cells along each column.
    n_bins_ : ndarray of shape (n_features,)
        Their number.
    cells_ : ndarray of shape (n_cells, n_features)
        Cells that hold rows.
    weight_ : ndarray of shape (n_cells,)
        Weight of the rows in them.
    fit_report_ : FitReport
        Estimated risk of every number of bins tried, in units of the box that holds the rows.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    Only cells with rows are stored: :math:`O(n p)` memory in any dimension.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.neighbors import HistogramDensity
    >>> model = HistogramDensity(bins=2).fit([[0.0], [1.0], [1.5], [2.0]])
    >>> np.exp(model.score_samples([[0.5], [1.2], [3.0]]))
    array([0.25, 0.75, 0.  ])
    """

    card = Card(tasks=("density",), search_space={"bins": [2, 4, 8, 16, 32]})

    def __init__(self, *, bins: Any = "cv", alpha: float = 0.0) -> None:
        self.bins = bins
        self.alpha = alpha

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Count the rows in the cells.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        check.params(self, nonnegative="alpha")
        self._check_bins()
        X = check.validated(self, check.structure(self, X), dtype=check.FLOATS)
        weight = check.weights(self, sample_weight, len(X))
        weight = np.ones(len(X)) if weight is None else weight
        X, weight = X[weight > 0], weight[weight > 0]
        numbers, risks = self._numbers(X, weight)
        histogram = Histogram.of(X, weight, Grid(*box(X), numbers))
        self._histogram = histogram
        self.n_bins_ = numbers
        columns = zip(histogram.grid.low, histogram.grid.high, numbers, strict=True)
        self.edges_ = [np.linspace(low, high, n + 1) for low, high, n in columns]
        self.cells_, self.weight_ = histogram.cells, histogram.weight
        solution = Solution(
            x=np.empty(0),
            status=Status.CONVERGED,
            n_iter=len(risks),
            objective=float(risks.min()) if len(risks) else 0.0,
            trace={"risk": risks},
            solver="counting",
        )
        self.fit_report_ = check.report(self, solution)
        return self

    def _check_bins(self) -> None:
        wanted = f"an integer of at least 1, a list of them, 'cv' or one of {', '.join(_RULES)}"
        bins = self.bins
        if isinstance(bins, str):
            good = bins == "cv" or bins in _RULES
        else:
            several = list(bins) if isinstance(bins, list | tuple | np.ndarray) else [bins]
            good = bool(several) and all(
                isinstance(b, int | np.integer) and not isinstance(b, bool) and b >= 1
                for b in several
            )
        if not good:
            raise check.fail(self, "bins", wanted, bins)

    def _numbers(self, X: Array, weight: Floats) -> tuple[Array, Floats]:
        """Cells along each column, and the risks of those tried."""
        p = X.shape[1]
        if isinstance(self.bins, str) and self.bins == "cv":
            best, _, risks = best_bins(X, weight)
            return np.full(p, best), risks
        if isinstance(self.bins, str):
            counts = [len(np.histogram_bin_edges(column, self.bins)) - 1 for column in X.T]
            return np.array(counts), np.empty(0)
        numbers = np.asarray(self.bins, dtype=np.int64)
        if numbers.ndim and len(numbers) != p:
            raise check.fail(self, "bins", f"one number for each of {p} columns", self.bins)
        return np.broadcast_to(numbers, (p,)).copy(), np.empty(0)

    def score_samples(self, X: Any) -> Floats:
        """Logarithm of the density at each row; minus infinity outside of the box.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        check_is_fitted(self)
        X = check.validated(self, check.structure(self, X), dtype=check.FLOATS, reset=False)
        return self._histogram.log_density(X, float(self.alpha))

    def score(self, X: Any, y: Any = None) -> float:
        """Sum of the log-densities of the rows.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        float
        """
        return float(np.sum(self.score_samples(X)))

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Floats:
        """Draw rows: a cell by its weight, then a place in it.

        Parameters
        ----------
        n_samples : int, default=1
            How many.
        random_state : int, Generator, RandomState or None
            Where randomness comes from.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        rng, histogram = random.generator(random_state), self._histogram
        grid = histogram.grid
        n_cells = float(np.prod(grid.bins.astype(np.float64)))
        free = self.alpha * n_cells
        total = histogram.weight.sum()
        cell = rng.choice(len(histogram.weight), size=n_samples, p=histogram.weight / total)
        cells = histogram.cells[cell]
        anywhere = rng.random(n_samples) * (total + free) >= total
        cells[anywhere] = rng.integers(0, grid.bins, size=(int(anywhere.sum()), len(grid.bins)))
        width = (grid.high - grid.low) / grid.bins
        return np.asarray(grid.low + (cells + rng.random(cells.shape)) * width)
