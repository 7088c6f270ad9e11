"""Structure from rows with missing values."""

from typing import Any, Self

from margin.core import Card, atomic, check, random, threads
from margin.graphical.learning.structure._structural_search import StructuralSearch
from margin.graphical.learning.structure._structure_learner import StructureLearner
from margin.graphical.learning.structure._table import categories
from margin.graphical.network._bayesian_network import BayesianNetwork
from margin.graphs import DAG
from margin.search import Climb


class StructuralEM(StructureLearner):
    r"""Bayesian network of locally best score when values are missing at random.

    Maximises :math:`\log p(x_{\mathrm{observed}} \mid G, \hat\theta_G)` less the penalty of BIC or
    AIC, in turns: the current network completes the rows by weighted completions; hill climbing
    finds a better graph for their expected counts; expectation maximisation fits its tables to the
    observed values (graphical.19, graphical.37). No turn lowers the objective.

    Parameters
    ----------
    score : {"bic", "aic"}, default="bic"
        The penalty.
    max_parents : int, optional
        Most parents of a node.
    tabu_length, patience : int
        Of the walks, as in :class:`HillClimb`.
    max_completions : int, default=64
        Completions of a row that are enumerated; of a row with more gaps some are drawn.
    required, forbidden : list of (parent, child), optional
        Arcs that must be, or must not be.
    tiers : list of lists, optional
        Groups of columns from early to late; no arc points to an earlier group.
    max_iter : int, default=50
        Most structures.
    max_work : float, default=4e9
        Table entries visited by the inference, where a second has room for some 10⁸ to 10⁹. What
        was learnt with them is the answer, with a warning.
    tol : float, default=1e-7
        Relative gain of the objective at which the search stops.
    random_state : int, Generator or RandomState, optional
        Of drawn completions.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Attributes
    ----------
    graph_ : DAG
        Graph over the column names.
    network_ : BayesianNetwork
        The graph with its maximum-likelihood tables.
    score_ : float
        Penalised log-likelihood of the observed values; larger is better.
    fit_report_ : FitReport
        Scores of the structures.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    :class:`HillClimb` takes rows with gaps as well and is much faster: it counts every family on
    the rows that know it, which is sound only when values are missing completely at random.
    Complete rows give what :class:`HillClimb` gives. With drawn completions the objective may stop
    rising earlier; the best structure is kept.

    References
    ----------
    Friedman (1998), The Bayesian structural EM algorithm.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.graphical import StructuralEM
    >>> rows = np.array([["wet", "rain"], ["dry", "sun"]] * 20, dtype=object)
    >>> rows[:6, 1] = None
    >>> model = StructuralEM().fit(rows)
    >>> len(model.graph_.edges), model.network_.query(0, {1: "sun"}).values.round(3).tolist()
    (1, [1.0, 0.0])
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(
        self,
        *,
        score: str = "bic",
        max_parents: int | None = None,
        tabu_length: int = 10,
        patience: int = 15,
        max_completions: int = 64,
        required: Any = None,
        forbidden: Any = None,
        tiers: Any = None,
        max_iter: int = 50,
        max_work: float = 4e9,
        tol: float = 1e-7,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.score = score
        self.max_parents = max_parents
        self.tabu_length = tabu_length
        self.patience = patience
        self.max_completions = max_completions
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers
        self.max_iter = max_iter
        self.max_work = max_work
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the graph; parameters as in :meth:`HillClimb.fit`."""
        check.params(
            self,
            positive="tol max_work",
            nonnegative="tabu_length",
            count="max_iter patience max_completions",
            one_of={"score": ("bic", "aic")},
        )
        self._check_parent_limit()
        data = categories(self._name, X, sample_weight)
        search = StructuralSearch(
            data.compressed(),
            self.score,
            Climb(self.max_parents, int(self.tabu_length), self.patience),
            self._knowledge(data.names),
            random.generator(self.random_state),
            self.max_completions,
            self.tol,
            self.max_iter,
            self.max_work,
            threads.count(self.n_jobs),
        )
        solution = search.run()
        report = check.report(self, solution)
        graph = DAG.from_adjacency(solution.x, data.names)
        states = dict(zip(data.names, data.states, strict=True))
        tables = dict(zip(data.names, solution.extras["tables"], strict=True))
        self.network_ = BayesianNetwork.from_edges(graph, tables, states)
        self._store(X, data.names, graph, solution.objective, report)
        return self
