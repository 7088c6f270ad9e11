"""Graphs with hidden common causes, by tests where they matter only."""

from typing import Any, Self

from margin.causal.discovery.ancestral._ancestral_learner import AncestralLearner
from margin.core import Card, atomic
from margin.search import really_fast_causal_inference


class RFCI(AncestralLearner):
    r"""Really fast causal inference: as :class:`FCI`, without its second search for edges.

    Before a triple or a path is used for orientation its edges are tested again, given what parts
    its ends; an edge that does not stand is removed. Every arrowhead and tail of the answer is as
    true as FCI's, but two columns may stay joined that some set of others, none of them neighbours,
    would separate.

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
    FCI : The complete answer.

    Notes
    -----
    Unknown values: counts use the rows that know the columns of a test; Gaussian moments are those
    of EM, with the smallest number of rows that know a pair as the sample size.

    References
    ----------
    D. Colombo, M. Maathuis, M. Kalisch and T. Richardson, "Learning high-dimensional directed
    acyclic graphs with latent and selection variables", Annals of Statistics 40 (2012).

    Examples
    --------
    >>> from margin.causal import RFCI
    >>> from margin.graphs import DAG
    >>> from margin.search import Oracle
    >>> truth = DAG([("u", "x"), ("u", "y"), ("a", "x"), ("b", "y"), ("y", "z")])
    >>> print(RFCI(test=Oracle(truth, latent="u")).fit().graph_)
    x <-> y
    y --> z
    a o-> x
    b o-> y
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
        return self._learn(X, sample_weight, really_fast_causal_inference, "RFCI")
