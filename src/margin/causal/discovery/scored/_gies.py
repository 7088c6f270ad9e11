"""Equivalence class of best score from observations and experiments."""

from typing import Any, Self

from margin.causal.discovery.scored._class_learner import ClassLearner
from margin.core import Card, atomic


class GIES(ClassLearner):
    r"""Greedy interventional equivalence search: :class:`GES` for rows from several experiments.

    An intervention sets its targets, whatever their causes. So a column is scored on the rows
    :math:`R_j` in which it was not a target,

    .. math:: \sum_j s_{R_j}(j, \mathrm{pa}_G(j)),

    and an arrow between two columns of which some experiment has set exactly one is determined
    (causal.13): classes are smaller, down to a single graph for the experiments of
    :func:`experiment_design`.

    Parameters
    ----------
    score, model, equivalent_sample_size, turning, max_degree, required, forbidden, tiers
        As in :class:`GES`.
    max_iter, max_work, tol, n_jobs
        As in :class:`GES`.

    Attributes
    ----------
    graph_ : PDAG
        Interventional essential graph: undirected edges where observation and the experiments
        leave the direction open.
    score_ : float
        Score of the members of the class; larger is better.
    fit_report_ : FitReport
        Scores along the way.
    n_families_ : int
        Families scored.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    BIC's penalty is half the logarithm of the number of all rows, for each parameter. Regressions
    have an intercept, so an intervention may shift as well as set. Without targets the answer is
    that of :class:`GES`. Unlike there, the search may end at a local maximum however many rows
    there are.

    References
    ----------
    A. Hauser and P. Bühlmann, "Characterization and greedy learning of interventional Markov
    equivalence classes of directed acyclic graphs", JMLR 13 (2012).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.causal import GIES
    >>> rng = np.random.default_rng(0)
    >>> a = rng.normal(size=400)
    >>> b = a + rng.normal(size=400)
    >>> b[200:] = rng.normal(size=200)  # set by an experiment
    >>> targets = [()] * 200 + [("b",)] * 200
    >>> import pandas as pd
    >>> model = GIES().fit(pd.DataFrame({"a": a, "b": b}), targets=targets)
    >>> model.graph_.directed
    (('a', 'b'),)
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(
        self,
        *,
        score: str = "bic",
        model: str = "auto",
        equivalent_sample_size: float = 10.0,
        turning: bool = True,
        max_degree: int | None = None,
        required: Any = None,
        forbidden: Any = None,
        tiers: Any = None,
        max_iter: int = 100_000,
        max_work: int = 50_000_000,
        tol: float = 1e-9,
        n_jobs: int | None = None,
    ) -> None:
        self.score = score
        self.model = model
        self.equivalent_sample_size = equivalent_sample_size
        self.turning = turning
        self.max_degree = max_degree
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers
        self.max_iter = max_iter
        self.max_work = max_work
        self.tol = tol
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, targets: Any = None) -> Self:
        """Learn the class.

        Parameters
        ----------
        X : pandas or polars frame, or two-dimensional array
            Categories or numbers; missing entries are unknown values.
        y : ignored
        sample_weight : array-like of shape (n_rows,), optional
            Non-negative weights; a weight of two is the same as the row twice.
        targets : sequence of sets of columns, optional
            For every row the columns that its experiment has set, as in
            :func:`experiment_design`; an empty set is plain observation. Nothing was set by
            default.

        Returns
        -------
        self
        """
        return self._learn(X, sample_weight, targets)
