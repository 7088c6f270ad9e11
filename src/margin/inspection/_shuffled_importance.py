"""How much worse a model scores when a column is shuffled."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t as student
from sklearn.metrics import check_scoring
from sklearn.utils import _safe_indexing
from sklearn.utils.parallel import Parallel, delayed

from margin.core import check, extra, random
from margin.core.types import Floats
from margin.inspection._columns import column_names, editable, set_column, table_of


@dataclass(frozen=True, eq=False)
class PermutationImportance:
    """Losses of score, per feature and per shuffle.

    Parameters
    ----------
    importances : ndarray of shape (n_features, n_repeats)
        Score of the rows as they are minus that with the feature shuffled.
    feature_names : tuple of str
    baseline : float
        Score of the rows as they are.

    Examples
    --------
    >>> import numpy as np
    >>> seen = PermutationImportance(np.array([[0.2, 0.4], [0.0, 0.0]]), ("a", "b"), 0.9)
    >>> seen.mean
    array([0.3, 0. ])
    """

    importances: Floats
    feature_names: tuple[str, ...]
    baseline: float

    @property
    def mean(self) -> Floats:
        """Mean loss of score of each feature."""
        return np.asarray(self.importances.mean(axis=1))

    @property
    def std(self) -> Floats:
        """Standard deviation over the shuffles."""
        return np.asarray(self.importances.std(axis=1, ddof=1))

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Confidence interval of the mean over shuffles; not over other training rows.

        Parameters
        ----------
        level : float, default=0.95
        """
        if not 0 < level < 1:
            raise check.fail(self, "level", "a number between 0 and 1, both excluded", level)
        n = self.importances.shape[1]
        half = student.ppf(0.5 + level / 2, n - 1) * self.std / np.sqrt(n)
        return self.mean - half, self.mean + half

    def plot(self, *, level: float = 0.95, most: int = 15, ax: Any = None) -> Any:
        """Means with their intervals, the most important on top.

        Parameters
        ----------
        level : float, default=0.95
            Confidence of the intervals.
        most : int, default=15
            Features shown.
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent.

        Returns
        -------
        matplotlib Axes
        """
        plt = extra("matplotlib.pyplot", "PermutationImportance.plot")
        order = np.argsort(self.mean, kind="stable")[::-1][:most][::-1]
        if ax is None:
            size = (6.5, 1.2 + 0.34 * len(order))
            ax = plt.subplots(figsize=size, layout="constrained")[1]
        low, high = self.interval(level)
        reach = np.maximum([self.mean[order] - low[order], high[order] - self.mean[order]], 0.0)
        ax.barh(range(len(order)), self.mean[order], xerr=reach, height=0.6, color="#6baed6")
        ax.axvline(0.0, color="0.6", lw=0.8)
        ax.set_yticks(range(len(order)), [self.feature_names[j] for j in order])
        ax.set_xlabel(f"loss of score when shuffled ({level:.0%} interval)")
        return ax


def shuffled_importance(
    model: Any,
    X: Any,
    y: ArrayLike,
    *,
    scoring: Any = None,
    n_repeats: int = 10,
    sample_weight: ArrayLike | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> PermutationImportance:
    """How much worse a fitted model scores when the values of a feature are shuffled (tree.11).

    Of two features that tell the same, each looks less important than they are together; rows that
    the model has not seen tell what it can use, training rows what it has memorised.

    Parameters
    ----------
    model : fitted estimator
    X : array-like or frame of shape (n_rows, n_features)
    y : array-like of shape (n_rows,)
    scoring : str or callable, optional
        The model's own score by default.
    n_repeats : int, default=10
        Shuffles of each feature, at least two.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows in the score.
    n_jobs : int, optional
        Features at a time, by threads; the answer does not depend on it.
    random_state : int, Generator or RandomState, optional
        The shuffles.

    Returns
    -------
    PermutationImportance

    Examples
    --------
    >>> import numpy as np
    >>> from margin.inspection import shuffled_importance
    >>> from margin.linear import LinearRegression
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> model = LinearRegression().fit(X, 3 * X[:, 0] + X[:, 1])
    >>> seen = shuffled_importance(model, X, 3 * X[:, 0] + X[:, 1], random_state=0)
    >>> seen.mean.argmax(), bool(seen.interval()[0][2] <= 0 <= seen.interval()[1][2] + 1e-12)
    (np.int64(0), True)
    """
    if not isinstance(n_repeats, int | np.integer) or n_repeats < 2:
        raise check.fail("shuffled_importance", "n_repeats", "at least 2", n_repeats)
    score = check_scoring(model, scoring=scoring)
    given = {} if sample_weight is None else {"sample_weight": np.asarray(sample_weight)}
    rng = random.generator(random_state)
    X = table_of("shuffled_importance", X)
    n_rows, n_features = np.shape(X)
    orders = [[rng.permutation(n_rows) for _ in range(n_repeats)] for _ in range(n_features)]
    baseline = float(score(model, X, y, **given))
    if not np.isfinite(baseline):
        need = "a score that these rows determine"
        raise check.fail("shuffled_importance", "scoring", need, baseline)

    def losses(feature: int) -> list[float]:
        column = np.asarray(_safe_indexing(X, feature, axis=1))
        table = editable(X)
        worse = []
        for order in orders[feature]:
            set_column(table, feature, column[order])
            worse.append(baseline - float(score(model, table, y, **given)))
        return worse

    results = Parallel(n_jobs=n_jobs, prefer="threads")(
        delayed(losses)(feature) for feature in range(n_features)
    )
    loss = np.array(results)
    if not np.isfinite(loss).all():
        need = "a score that the shuffled rows determine"
        worst = float(loss[~np.isfinite(loss)][0])
        raise check.fail("shuffled_importance", "scoring", need, worst)
    return PermutationImportance(loss, column_names(X, n_features), baseline)
