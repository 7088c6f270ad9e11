"""Naive Bayes of categories."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Card, check, memory
from margin.core.types import Floats, Indices
from margin.linear._membership import Membership
from margin.linear.naive_bayes._column_models import Parts
from margin.linear.naive_bayes._naive_bayes import NaiveBayes, pseudo_counts, refuse_negative
from margin.linear.naive_bayes._table_columns import Categories, TableColumns, TableLikelihood

_LITTLE = 2.0**20  # bytes
_MOST = 2.0**53  # bytes; above it numbers of categories are not whole


class CategoricalNB(NaiveBayes):
    r"""Naive Bayes of categories 0, 1, 2, … (linear.44); NaN is unobserved.

    Column ``j`` takes category ``t`` in class ``k`` with probability
    :math:`(N_{kjt} + \alpha) / (n_{kj} + \alpha m_j)`, where :math:`m_j` is the number of its
    categories and :math:`n_{kj}` the weight of its observed values in the class: the posterior
    mean and the full Bayesian prediction under Dirichlet(α), the posterior mode under
    Dirichlet(α + 1). ``p`` columns of ``m`` categories need ``p m K`` numbers, the full joint table
    :math:`m^p K`.

    Parameters
    ----------
    alpha : float, default=1.0
        Pseudo-counts of every category.
    force_alpha : bool, default=True
        Whether an ``alpha`` below :math:`10^{-10}` is taken as it is rather than raised to that.
    fit_prior : bool, default=True
        Whether class priors are frequencies; equal ones otherwise (linear.25).
    class_prior : array-like of shape (n_classes,), optional
        Class priors, in place of either.
    min_categories : int or array-like of shape (n_features,), optional
        Least number of categories of every column, or of each.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    class_count_, class_log_prior_ : ndarray of shape (n_classes,)
        Weight of the rows of each class, and log priors.
    n_categories_ : ndarray of shape (n_features,)
        Categories of each column.
    category_count_, feature_log_prob_ : list of ndarray of shape (n_classes, n_categories)
        For each column the weight of its categories, and their log probabilities.
    fit_report_ : FitReport
        Mean negative log joint likelihood.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p)` operations. A value that is no category seen in the fit says nothing about the
    class: a prediction takes it as unobserved. New categories in ``partial_fit`` are added.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import CategoricalNB
    >>> model = CategoricalNB().fit([[0, 2], [1, 1], [1, float("nan")]], [0, 1, 1])
    >>> np.exp(model.feature_log_prob_[1]).round(6)
    array([[0.25, 0.25, 0.5 ],
           [0.25, 0.5 , 0.25]])
    """

    card = Card(
        tasks=("classification",),
        cost="linear",
        search_space={"alpha": (1e-3, 1e2, "log")},
        input="categorical",
    )

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        min_categories: int | ArrayLike | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories
        self.n_jobs = n_jobs

    def _check_params(self) -> None:
        check.params(self, nonnegative="alpha", flag="force_alpha fit_prior")

    def _check_rows(self, X: Any, *, fitting: bool) -> Any:
        refuse_negative(self, np.fmin.reduce(X, axis=None, initial=0.0))
        if not fitting:
            return X
        away = np.floor(X) - X
        if np.fmin.reduce(away, axis=None, initial=0.0) < 0:
            raise check.fail(self, "X", "whole numbers, or NaN", float(X[away < 0][0]))
        return X

    def _count(self, X: Any, members: Membership) -> Parts:
        largest = np.fmax.reduce(X, axis=0, initial=-1.0)
        least = self._least(X.shape[1])
        self._refuse_large(np.maximum(largest + 1, least), members.n_classes)
        sizes = np.maximum(largest.astype(np.int64) + 1, least)
        return TableColumns(0.0, Categories(tuple(map(int, sizes)))).statistics(X, members)

    def _refuse_large(self, sizes: Floats, n_classes: int) -> None:
        """Refuse tables of categories that would not fit into memory."""
        need = 4.0 * 8.0 * n_classes * float(sizes.sum())
        if need <= _LITTLE:  # there is so much always, and to ask takes longer than to count
            return
        free = memory.available()
        if need <= (_MOST if free is None else min(free, _MOST)):
            return
        j = int(sizes.argmax())
        names = getattr(self, "feature_names_in_", range(len(sizes)))
        raise MemoryError(
            f"{type(self).__name__}: X must be of categories 0, 1, 2, …, got {sizes[j] - 1:.15g} "
            f"in column {names[j]}: counts of all that are smaller need about {need / 1e9:.4g} GB; "
            "number the categories without gaps, for instance by OrdinalEncoder"
        )

    def _least(self, n_features: int) -> Indices:
        """Least number of categories of each column, at least 1."""
        given = self.min_categories
        if given is None:
            return np.ones(n_features, dtype=np.int64)
        requirement = f"None, an integer of at least 1, or {n_features} of them"
        try:
            least = np.asarray(given)
            valid = least.dtype.kind in "iu" and least.shape in ((), (n_features,))
        except (TypeError, ValueError):
            valid = False
        if not valid or (least < 1).any():
            error = check.fail(self, "min_categories", requirement, given)
            raise ValueError(f"{error} ('min_categories' should have shape ({n_features},))")
        return np.broadcast_to(least.astype(np.int64), n_features)

    def _merge(self, old: Parts, new: Parts) -> Parts:
        """Counts of both, columns widened to the categories of either."""
        pairs = list(zip(old.parts, new.parts, strict=True))
        return Parts(tuple(_wider(a, b.shape[1]) + _wider(b, a.shape[1]) for a, b in pairs))

    def _estimate(self, stats: Parts) -> tuple[TableLikelihood, tuple[str, ...]]:
        sizes = tuple(table.shape[1] for table in stats.parts)
        alpha = pseudo_counts(self, self.alpha, len(sizes), force=self.force_alpha)
        likelihood = TableColumns(alpha, Categories(sizes), self._n_threads).fit(stats)
        self.n_categories_ = np.array(sizes)
        self.category_count_ = list(stats.parts)
        self.feature_log_prob_ = list(likelihood.log_theta)
        self.class_log_prior_ = self._log_prior
        return likelihood, ()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        return tags


def _wider(table: Floats, size: int) -> Floats:
    return np.pad(table, ((0, 0), (0, max(0, size - table.shape[1]))))
