"""Graphs with hidden common causes, by a search for every separating set."""

from typing import Any, Self

from margin.causal.discovery.ancestral._ancestral_learner import AncestralLearner
from margin.core import Card, atomic
from margin.search import fast_causal_inference


class FCI(AncestralLearner):
    r"""Fast causal inference: what the data say of causes when some are hidden.

    Like :class:`margin.graphical.PC` it removes the edge between two columns that some set of
    others makes independent, and directs what is left. But an arrowhead only says "is no cause of",
    and ``a <-> b`` that something hidden causes both. Because the neighbours of two columns need
    not separate them when a cause is hidden, a second search looks beyond the neighbours. With a
    test that makes no mistake the answer is the partial ancestral graph of the truth.

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
        Largest conditioning set.
    colliders : {"ordinary", "conservative", "majority"}, default="ordinary"
        How common effects are told: by the set that removed the edge; by all separating sets among
        the neighbours, which must agree, or whose majority counts. The latter two leave doubtful
        triples open (``unclear_``) and do not depend on the order of the columns.
    selection : bool, default=True
        Whether rows may have been selected by what the columns cause. ``False``: no edge ``---``
        or ``o--`` is drawn.
    aggregate : {"sum", "max", "bonferroni"}, default="sum"
        How a conditional test on counts combines its strata.
    min_count : float, default=1.0
        Smallest mean count per cell; tests below it remove nothing.
    max_tests : int, default=1_000_000
        Most tests; edges that they had not come to by then stay, with a warning.
    required, forbidden : list of (cause, effect), optional
        Arrows that must be, or must not be. A pair of which neither may cause the other can still
        have a hidden common cause.
    tiers : list of lists, optional
        Groups of columns from early to late; nothing later causes anything earlier.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Attributes
    ----------
    graph_ : PAG
        The marks that all graphs with these independences share.
    skeleton_ : UndirectedGraph
        The edges.
    separators_ : dict
        For each removed pair the set that made it independent.
    removals_ : tuple of (column, column, p-value)
        Removed pairs, the surest first: by *decreasing* p-value.
    edge_p_values_ : dict
        For each edge the largest p-value of its tests; small means certain.
    unclear_ : tuple of (column, column, column)
        Triples whose middle may or may not be a common effect.
    conflicts_ : tuple of (column, column, column)
        Common effects left out because they contradict what is known.
    n_tests_ : tuple of int
        Tests made, by size of the conditioning set.
    fit_report_ : FitReport
        Numbers of tests.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    See Also
    --------
    RFCI : Without the second search; faster on dense graphs.
    margin.graphs.pag : The graph that a known truth would give.

    Notes
    -----
    All ten rules of orientation, which find every mark that can be known. The number of tests grows
    exponentially with the nodes that colliders lead to.

    Unknown values: counts use the rows that know the columns of a test; Gaussian moments are those
    of EM, with the smallest number of rows that know a pair as the sample size.

    References
    ----------
    P. Spirtes, C. Glymour and R. Scheines, "Causation, Prediction, and Search", 2nd ed. (2000).
    J. Zhang, "On the completeness of orientation rules for causal discovery in the presence of
    latent confounders and selection bias", Artificial Intelligence 172 (2008). D. Colombo and M.
    Maathuis, "Order-independent constraint-based causal structure learning", JMLR 15 (2014).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.causal import FCI
    >>> rng = np.random.default_rng(0)
    >>> hidden, a, b = rng.normal(size=(3, 1000))
    >>> x = a + hidden + 0.5 * rng.normal(size=1000)
    >>> y = b + hidden + 0.5 * rng.normal(size=1000)
    >>> model = FCI(alpha=0.01).fit(np.column_stack([a, x, y, b]))
    >>> print(model.graph_)
    0 o-> 1
    1 <-> 2
    3 o-> 2
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(
        self,
        *,
        test: Any = "auto",
        alpha: float = 0.05,
        max_cond_size: int | None = 4,
        colliders: str = "ordinary",
        selection: bool = True,
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
        self.colliders = colliders
        self.selection = selection
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
        return self._learn(X, sample_weight, fast_causal_inference, "FCI")
