"""Structure by exhaustive tests of conditional independence."""

from sklearn.base import BaseEstimator

from margin.core import Card, atomic, check
from margin.graphical.learning.structure import _columns, _constraints
from margin.graphical.learning.structure._tests import independence_test
from margin.search import exhaustive_skeleton


class IC(BaseEstimator):
    """Inductive causation: Markov equivalence class from tests given all subsets (graphical.33).

    Like :class:`PC`, but every pair is tested given every set of other columns, smallest first,
    until one separates it: exponentially many tests, and no trust in earlier removals.

    Parameters
    ----------
    test, alpha, aggregate, min_count, required, forbidden, tiers
        As in :class:`PC`.
    max_cond_size : int or None, default=None
        Largest conditioning set.

    Attributes
    ----------
    graph_, skeleton_, separators_, removals_, edge_p_values_, conflicts_, n_tests_, score_
        As in :class:`PC`.
    fit_report_ : FitReport
        Numbers of tests.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Examples
    --------
    >>> from margin.graphical import IC
    >>> from margin.graphs import DAG
    >>> from margin.search import Oracle
    >>> IC(test=Oracle(DAG(3, [(0, 1), (1, 2)]))).fit().graph_.undirected
    ((0, 1), (1, 2))
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(
        self,
        *,
        test="auto",
        alpha=0.05,
        max_cond_size=None,
        aggregate="sum",
        min_count=1.0,
        required=None,
        forbidden=None,
        tiers=None,
    ):
        self.test = test
        self.alpha = alpha
        self.max_cond_size = max_cond_size
        self.aggregate = aggregate
        self.min_count = min_count
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers

    @atomic
    def fit(self, X=None, y=None, sample_weight=None):
        """Learn the graph; parameters as in :meth:`PC.fit`."""
        check.params(
            self,
            fraction="alpha",
            nonnegative="min_count",
            one_of={"aggregate": ("sum", "max", "bonferroni")},
        )
        if self.max_cond_size is not None:
            check.params(self, nonnegative="max_cond_size")
        test = independence_test(self, X, sample_weight)
        found = exhaustive_skeleton(
            test,
            self.alpha,
            max_level=None if self.max_cond_size is None else int(self.max_cond_size),
            knowledge=_columns.knowledge(self, test.names),
        )
        _constraints.store(self, X, test, found, f"inductive causation, {type(test).__name__}")
        return self

    @property
    def separators_(self):
        """For each removed pair the set that made it independent."""
        return dict(self._separators)

    @property
    def edge_p_values_(self):
        """For each edge the largest p-value of its tests; small means certain."""
        return dict(self._edge_p_values)
