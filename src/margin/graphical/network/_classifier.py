"""A Bayesian network as a classifier of tables."""

from typing import Any, Self

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, atomic, check, threads
from margin.core.types import Array, Floats, Ints
from margin.graphical._network import Arrows
from margin.graphical.engines._evidence import Evidence
from margin.graphical.network._bayesian_network import BayesianNetwork
from margin.graphical.network._build import build
from margin.graphical.network._parameter_fit import Prior, as_tables, fit_tables
from margin.graphical.network._quantile_bins import QuantileBins
from margin.graphical.network._word_columns import WordColumns
from margin.search import Categories, information_matrix, maximum_spanning_tree

_TOL, _MAX_ITER = 1e-5, 500
CLASS = "class"


class BayesianNetworkClassifier(ClassifierMixin, BaseEstimator):
    r"""Classification by the posterior of the class in a Bayesian network.

    .. math:: p(y \mid x_{\text{seen}}) \propto
              \sum_{x_{\text{unseen}}} \prod_j p(x_j \mid x_{\mathrm{pa}(j)})

    Columns of numbers with many values are cut at quantiles; words and categories are states as
    they are. NaN means unobserved, in ``fit`` (by EM) and in ``predict`` (summed out exactly), and
    so does a word that ``fit`` has not seen.

    Parameters
    ----------
    structure : {"tan", "naive"} or iterable of (parent, child), default="tan"
        Naive Bayes; naive Bayes with a tree over the columns that maximises the likelihood; or
        arrows between columns (names, or numbers where they have none) and ``"class"``.
    n_bins : int, default=5
        Most states of a column.
    equivalent_sample_size : float, default=5.0
        Imaginary observations of every table, spread evenly over its cells (the BDeu prior).
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    network_ : BayesianNetwork
        The model, over the columns and ``"class"``; states of a column are its words or the
        numbers of its bins.
    bins_ : QuantileBins
        Cut points of the columns.
    words_ : WordColumns
        Which columns hold words, and which.
    fit_report_ : FitReport
        How the tables were found.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = BayesianNetworkClassifier().fit(X, y)
    >>> round(model.score(X, y), 2)
    0.98
    """

    card = Card(
        tasks=("classification",),
        cost="linear",
        search_space={
            "structure": ["naive", "tan"],
            "n_bins": [3, 5, 8],
            "equivalent_sample_size": (1.0, 50.0, "log"),
        },
    )

    def __init__(
        self,
        *,
        structure: Any = "tan",
        n_bins: int = 5,
        equivalent_sample_size: float = 5.0,
        n_jobs: int | None = None,
    ) -> None:
        self.structure = structure
        self.n_bins = n_bins
        self.equivalent_sample_size = equivalent_sample_size
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn cut points, structure and tables.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers, words, or columns of a categorical type; NaN and None mean unobserved.
        y : array-like of shape (n_samples,)
            Labels of at least two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        check.params(self, count="n_bins", nonnegative="equivalent_sample_size")
        if isinstance(self.structure, str):
            check.params(self, one_of={"structure": ("tan", "naive")})
        words = WordColumns.learned(X)
        X, y, weight = check.data(
            self, words.encode(X), y, sample_weight, target="classes", missing=True
        )
        self.classes_, target = check.classes(self, y)
        if weight is not None:
            kept = weight > 0
            X, target, weight = X[kept], target[kept], weight[kept]
        self.words_, X = words.among(X)
        self.bins_ = QuantileBins.learned(X, weight, self.n_bins, codes=words.places)
        codes = np.column_stack([self.bins_.codes(X), target]).astype(np.int32)
        names = self._names()
        cards = (*self.bins_.cardinalities, len(self.classes_))
        states = {name: tuple(range(card)) for name, card in zip(names, cards, strict=True)}
        edges = self._edges(names, codes, cards, weight)
        network = build(type(self).__name__, Arrows(tuple(names), tuple(edges)), None, states)
        solution = fit_tables(
            network,
            codes,
            weight,
            Prior(equivalent_sample_size=self.equivalent_sample_size),
            tol=_TOL,
            max_iter=_MAX_ITER,
            n_threads=threads.count(self.n_jobs),
        )
        tables = as_tables(network, solution)
        self.network_ = BayesianNetwork.from_edges(
            Arrows(tuple(names), network.edges), tables, self._states(names), n_jobs=self.n_jobs
        )
        self.fit_report_ = check.report(self, solution)
        return self

    def _names(self) -> list[Any]:
        names = list(getattr(self, "feature_names_in_", range(self.n_features_in_)))
        if CLASS in names:
            raise check.fail(self, "names of the columns", f"other than {CLASS!r}", CLASS)
        return [*names, CLASS]

    def _states(self, names: list[Any]) -> dict[Any, tuple[Any, ...]]:
        """Words for words and the class, numbers for the bins."""
        states = [tuple(range(card)) for card in self.bins_.cardinalities]
        for at, levels in zip(self.words_.places, self.words_.levels, strict=True):
            states[at] = levels or states[at]
        return dict(zip(names, [*states, tuple(self.classes_.tolist())], strict=True))

    def _edges(
        self, names: list[Any], codes: Ints, cards: tuple[int, ...], weight: Floats | None
    ) -> list[tuple[Any, Any]]:
        if not isinstance(self.structure, str):
            if not hasattr(self.structure, "__iter__"):
                raise check.fail(self, "structure", "'tan', 'naive' or arrows", self.structure)
            edges = [tuple(edge) for edge in self.structure]
            if strange := [n for edge in edges for n in edge if n not in names]:
                raise check.fail(self, "structure", "arrows between columns and 'class'", strange)
            return edges
        columns = list(range(len(names) - 1))
        tree = []
        if self.structure == "tan" and len(columns) > 1:
            filled = np.where(codes >= 0, codes, cards).T.astype(np.uint16)
            levels = tuple(tuple(range(card)) for card in cards)
            data = Categories(np.ascontiguousarray(filled), tuple(names), levels, weight)
            information = information_matrix(data, given=len(columns))
            # Rounded, so that ties do not depend on the order of the rows.
            tree = maximum_spanning_tree(information.round(10), 0, np.array(columns))
        edges = [(CLASS, names[j]) for j in columns]
        return edges + [(names[a], names[b]) for a, b in tree]

    def predict_log_proba(self, X: Any) -> Floats:
        """Logarithm of the posterior probability of each class."""
        check_is_fitted(self)
        X = check.table(self, self.words_.encode(X), missing=True)
        codes = self.bins_.codes(X)
        scores = np.empty((len(codes), len(self.classes_)))
        complete = (codes >= 0).all(axis=1)
        scores[complete] = self._complete(codes[complete])
        if not complete.all():
            scores[~complete] = self._with_gaps(codes[~complete])
        return scores

    def _complete(self, codes: Ints) -> Floats:
        """Only the tables that hold the class differ between classes."""
        network = self.network_._model
        index = network.domain.index
        scores = np.zeros((len(codes), len(self.classes_)))
        with np.errstate(divide="ignore"):
            for name in network.names:
                family = (*network.parents[name], name)
                if CLASS in family:
                    logs = np.moveaxis(np.log(network.table(name)), family.index(CLASS), 0)
                    at: list[Any] = [codes[:, index[n]] for n in family if n != CLASS]
                    scores += logs[(slice(None), *at)].T if at else logs
        total = logsumexp(scores, axis=1, keepdims=True)
        # A row that no class can explain says nothing about the class.
        hopeless = ~np.isfinite(total)
        even = -np.log(len(self.classes_))
        return np.where(hopeless, even, scores - np.where(hopeless, 0.0, total))

    def _with_gaps(self, codes: Ints) -> Floats:
        unknown = np.full((len(codes), 1), -1, dtype=np.int32)
        known = Evidence(np.hstack([codes, unknown]), batched=True)
        table: Floats = self.network_.query(CLASS, known).values
        with np.errstate(divide="ignore"):
            return np.log(table)

    def predict_proba(self, X: Any) -> Floats:
        """Posterior probability of each class, of shape (n_samples, n_classes)."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> Array:
        """Most probable class."""
        best = np.argmax(self.predict_log_proba(X), axis=1)
        labels: Array = self.classes_[best]
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
