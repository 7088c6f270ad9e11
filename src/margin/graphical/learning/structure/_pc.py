"""Structure by tests of conditional independence."""

from typing import Any, Self

from margin.core import Card, atomic, check, threads
from margin.graphical.learning.structure._constraint_learner import ConstraintLearner
from margin.graphical.learning.structure._constraints import constraints
from margin.search import sequential_skeleton, stable_skeleton


class PC(ConstraintLearner):
    """Markov equivalence class of a network from tests of conditional independence.

    Starts from the complete graph and removes the edge between two columns as soon as they are
    independent given some set of neighbours of one of them, small sets first (graphical.34);
    then directs common effects and what follows from them (graphical.36). With a test that makes
    no mistake the answer is the completed graph of the truth.

    Parameters
    ----------
    test : str or IndependenceTest, default="auto"
        ``"g"``, ``"chi-squared"``, ``"fisher-z"``, ``"mixed"``,
        ``"conditional-gaussian"``, ``"hsic"``, ``"coco"``, ``"kci"``
        or a test of :mod:`margin.search`. ``"auto"``: Fisher's z for columns of floats, the G-test
        for others, the mixed test where both occur.
    alpha : float, default=0.05
        Level: edges whose p-value exceeds it go.
    max_cond_size : int or None, default=4
        Largest conditioning set (graphical.31).
    stable : bool, default=True
        Remove edges at the end of a round only: the skeleton does not depend on the order of the
        columns (graphical.35). Otherwise as first published, one test at a time.
    aggregate : {"sum", "max", "bonferroni"}, default="sum"
        How a conditional test on counts combines its strata (graphical.28).
    min_count : float, default=1.0
        Smallest mean count per cell; tests below it remove nothing (graphical.31).
    max_tests : int, default=1_000_000
        Most tests; edges that they had not come to by then stay, with a warning.
    required, forbidden, tiers
        Background knowledge, as in :class:`HillClimb`.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Attributes
    ----------
    graph_ : PDAG
        Arrows where the direction is determined, undirected edges where not.
    skeleton_ : UndirectedGraph
        The edges.
    separators_ : dict
        For each removed pair the set that made it independent.
    removals_ : tuple of (column, column, p-value)
        Removed pairs, the surest first: by *decreasing* p-value.
    edge_p_values_ : dict
        For each edge the largest p-value of its tests; small means certain.
    conflicts_ : tuple
        Common effects left out because they contradict others.
    n_tests_ : tuple of int
        Tests made, by size of the conditioning set.
    score_ : float or None
        BIC of an acyclic extension of ``graph_``, with further common effects only where
        contradictory tests leave no other; ``None`` where the test has no likelihood.
    fit_report_ : FitReport
        Numbers of tests.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    Unknown values: counts use the rows that know the columns of a test; Gaussian moments are those
    of EM, with the smallest number of rows that know a pair as the sample size.

    Examples
    --------
    >>> from margin.graphical import PC
    >>> from margin.graphs import DAG
    >>> from margin.search import Oracle
    >>> truth = DAG.from_edges([("rain", "wet"), ("hose", "wet"), ("wet", "slip")])
    >>> PC(test=Oracle(truth)).fit().graph_.directed
    (('rain', 'wet'), ('wet', 'slip'), ('hose', 'wet'))
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(
        self,
        *,
        test: Any = "auto",
        alpha: float = 0.05,
        max_cond_size: int | None = 4,
        stable: bool = True,
        aggregate: str = "sum",
        min_count: float = 1.0,
        max_tests: int = 1_000_000,
        required: Any = None,
        forbidden: Any = None,
        tiers: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.max_cond_size = max_cond_size
        self.stable = stable
        self.aggregate = aggregate
        self.min_count = min_count
        self.max_tests = max_tests
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the graph.

        Parameters
        ----------
        X : pandas or polars frame, or two-dimensional array
            Columns; not needed when ``test`` is a test that has its data.
        y : ignored
        sample_weight : array-like of shape (n_rows,), optional
            Weights, for tests on counts and Fisher's z.

        Returns
        -------
        self
        """
        check.params(self, flag="stable")
        test = self._independence_test(X, sample_weight)
        known = self._knowledge(test.names)
        if self.stable:
            skeleton = stable_skeleton(
                test,
                self.alpha,
                max_level=self._max_level,
                max_tests=self.max_tests,
                knowledge=known,
                n_threads=threads.count(self.n_jobs),
            )
        else:
            skeleton = sequential_skeleton(
                test,
                self.alpha,
                max_level=self._max_level,
                max_tests=self.max_tests,
                knowledge=known,
            )
        solver = "stable PC" if self.stable else "PC"
        return self._keep(X, test.names, constraints(test, skeleton, known, solver, self.max_tests))
