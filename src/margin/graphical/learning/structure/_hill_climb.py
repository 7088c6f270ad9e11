"""Structure by greedy search over arcs."""

from typing import Any, Self

from margin.core import Card, atomic, check, random, threads
from margin.graphical.learning.structure._structure_learner import StructureLearner
from margin.graphical.learning.structure._table import MODELS, read, starting_graph
from margin.graphs import DAG
from margin.search import Climb, NetworkScore, hill_climb


class HillClimb(StructureLearner):
    r"""Bayesian network of locally best score, by adding, removing and reversing arcs.

    Maximises :math:`\sum_j s(j, \mathrm{pa}(j))` over directed acyclic graphs, with
    :math:`s` one of BIC, AIC, BDeu and K2 (graphical.37).

    Parameters
    ----------
    score : {"bic", "aic", "bdeu", "k2"}, default="bic"
        What to maximise; see :class:`margin.search.NetworkScore`.
    model : {"auto", "categorical", "gaussian"}, default="auto"
        Tables of categories, or linear regressions with Gaussian noise (BIC and AIC only).
        ``"auto"``: Gaussian for columns of floats that are not all whole numbers; such columns
        together with categories are refused.
    equivalent_sample_size : float, default=10.0
        Weight of the prior of BDeu.
    max_parents : int, optional
        Most parents of a node.
    tabu_length : int, default=10
        Last moves that may not be undone, so that the walk goes on past a maximum; 0 stops there.
    patience : int, default=15
        Moves in a row without a better graph that end a walk with tabu moves.
    n_restarts : int, default=0
        Further walks, from random changes of the best graph.
    perturbation : int, default=10
        Random changes before a restart.
    annealing : bool, default=False
        Whether simulated annealing finds the starting graph.
    start : DAG or list of (parent, child), optional
        Starting graph; without arcs by default.
    required, forbidden : list of (parent, child), optional
        Arcs that must be, or must not be.
    tiers : list of lists, optional
        Groups of columns from early to late; no arc points to an earlier group.
    max_iter : int, default=100000
        Most moves of one walk.
    tol : float, default=1e-9
        Smallest gain worth a move.
    random_state : int, Generator or RandomState, optional
        Of restarts and annealing.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Attributes
    ----------
    graph_ : DAG
        Graph over the column names.
    score_ : float
        Its score; larger is better.
    fit_report_ : FitReport
        Scores along the way.
    n_families_ : int
        Families counted.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    Unknown values: a family is counted on the rows that know it, and its log likelihood is scaled
    to all rows; sound when values are missing completely at random. One pass over the rows per
    family; gains are renewed only where parents changed.

    Examples
    --------
    >>> from margin.graphical import HillClimb
    >>> rows = [["wet", "rain"], ["wet", "rain"], ["dry", "sun"], ["dry", "sun"]] * 10
    >>> model = HillClimb().fit(rows)
    >>> len(model.graph_.edges), round(model.score_, 4)
    (1, -33.2592)
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(
        self,
        *,
        score: str = "bic",
        model: str = "auto",
        equivalent_sample_size: float = 10.0,
        max_parents: int | None = None,
        tabu_length: int = 10,
        patience: int = 15,
        n_restarts: int = 0,
        perturbation: int = 10,
        annealing: bool = False,
        start: Any = None,
        required: Any = None,
        forbidden: Any = None,
        tiers: Any = None,
        max_iter: int = 100_000,
        tol: float = 1e-9,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.score = score
        self.model = model
        self.equivalent_sample_size = equivalent_sample_size
        self.max_parents = max_parents
        self.tabu_length = tabu_length
        self.patience = patience
        self.n_restarts = n_restarts
        self.perturbation = perturbation
        self.annealing = annealing
        self.start = start
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the graph.

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
        check.params(
            self,
            positive="equivalent_sample_size",
            nonnegative="tol tabu_length n_restarts perturbation",
            count="max_iter patience",
            flag="annealing",
            one_of={"model": MODELS, "score": ("bic", "aic", "bdeu", "k2")},
        )
        self._check_parent_limit()
        data = read(self._name, X, self.model, sample_weight)
        known = self._knowledge(data.names)
        score = NetworkScore.of(
            self._name, data, self.score, equivalent_sample_size=self.equivalent_sample_size
        )
        how = Climb(
            max_parents=self.max_parents,
            tabu_length=int(self.tabu_length),
            patience=self.patience,
            n_restarts=int(self.n_restarts),
            perturbation=int(self.perturbation),
            annealing=bool(self.annealing),
            max_iter=self.max_iter,
            tol=self.tol,
        )
        solution = hill_climb(
            score,
            how,
            known,
            random.generator(self.random_state),
            start=starting_graph(self._name, self.start, data.names, known, self.max_parents),
            n_threads=threads.count(self.n_jobs),
        )
        graph = DAG.from_adjacency(solution.x, data.names)
        self._store(X, data.names, graph, solution.objective, check.report(self, solution))
        self.n_families_ = solution.extras["n_families"]
        return self
