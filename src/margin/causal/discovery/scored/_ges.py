"""Equivalence class of best score."""

from typing import Any, Self

from margin.causal.discovery.scored._class_learner import ClassLearner
from margin.core import Card, atomic


class GES(ClassLearner):
    r"""Greedy equivalence search: the Markov equivalence class that no single arc improves.

    .. math:: \max_{\mathcal E} \sum_j s(j, \mathrm{pa}_G(j)), \quad G \in \mathcal E

    over classes :math:`\mathcal E` of directed acyclic graphs, for a score that is the same for all
    members of a class. Arcs are inserted into any member as long as that helps, then removed, then
    turned. With endless data from a distribution that is faithful to a graph without hidden
    variables, the first two phases end at the class of that graph.

    Parameters
    ----------
    score : {"bic", "aic", "bdeu"}, default="bic"
        What to maximise; see :class:`margin.search.NetworkScore`.
    model : {"auto", "categorical", "gaussian", "mixed"}, default="auto"
        Tables of categories, or linear regressions with Gaussian noise (BIC and AIC only);
        ``"mixed"``: the same with words and truth values as indicators, see
        :class:`margin.search.Blocks`. ``"auto"``: Gaussian for columns of floats that are not all
        whole numbers, mixed where such stand beside others.
    equivalent_sample_size : float, default=10.0
        Weight of the prior of BDeu.
    turning : bool, default=True
        Whether arcs are also turned, and all phases are gone through again until nothing gains.
        False: inserting, then removing, once, as first published.
    max_degree : int, optional
        Most edges at a node.
    required, forbidden : list of (cause, effect), optional
        Arrows that must be, or must not be.
    tiers : list of lists, optional
        Groups of columns from early to late; no arrow points to an earlier group.
    max_iter : int, default=100000
        Most steps made.
    max_work : int, default=50000000
        Most steps scored: dense classes have exponentially many.
    tol : float, default=1e-9
        Smallest gain worth a step.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Attributes
    ----------
    graph_ : PDAG
        The class: arrows where all members agree, undirected edges where they do not; with
        background knowledge, of the members that agree with it.
    score_ : float
        Score of its members; larger is better.
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
    A family costs one small Cholesky factor of the covariance, or one pass over the rows for
    categories, and is scored once. After a step only the pairs are looked at again whose
    surroundings have changed. Unknown values: Gaussian moments are those of EM; families of
    categories alone are counted on the rows that know them.

    References
    ----------
    D. M. Chickering, "Optimal structure identification with greedy search", JMLR 3 (2002).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.causal import GES
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(size=(2, 500))
    >>> c = a + b + 0.5 * rng.normal(size=500)
    >>> d = c + 0.5 * rng.normal(size=500)
    >>> GES().fit(np.column_stack([a, b, c, d])).graph_.directed
    ((0, 2), (1, 2), (2, 3))
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
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the class.

        Parameters
        ----------
        X : pandas or polars frame, or two-dimensional array
            Categories or numbers; missing entries are unknown values.
        y : ignored
        sample_weight : array-like of shape (n_rows,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        return self._learn(X, sample_weight)
