"""Naive Bayes of yes-or-no columns."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from margin.core import Card, check
from margin.core.types import Floats
from margin.linear._membership import Membership
from margin.linear.naive_bayes._count_columns import BernoulliColumns, BernoulliLikelihood
from margin.linear.naive_bayes._naive_bayes import NaiveBayes, pseudo_counts


class BernoulliNB(NaiveBayes):
    r"""Naive Bayes of yes-or-no columns (linear.46); NaN is unobserved.

    The probability of a one is :math:`\theta_{kj} = (N_{kj} + \alpha_j) / (n_{kj} + 2\alpha_j)`,
    with :math:`N_{kj}` ones among the :math:`n_{kj}` observed values of column ``j`` in class
    ``k``: the posterior mean and the full Bayesian prediction under Beta(α, α), the posterior mode
    under Beta(α + 1, α + 1). Unlike the multinomial model, an absent word is evidence.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Pseudo-counts of ones, and of zeros.
    force_alpha : bool, default=True
        Whether an ``alpha`` below :math:`10^{-10}` is taken as it is rather than raised to that.
    binarize : float or None, default=0.0
        Values above this are ones; ``None`` when the columns hold zeros and ones only.
    fit_prior : bool, default=True
        Whether class priors are frequencies; equal ones otherwise (linear.25).
    class_prior : array-like of shape (n_classes,), optional
        Class priors, in place of either.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    class_count_, class_log_prior_ : ndarray of shape (n_classes,)
        Weight of the rows of each class, and log priors.
    feature_count_, feature_log_prob_ : ndarray of shape (n_classes, n_features)
        Weight of the ones, and log probabilities of a one.
    fit_report_ : FitReport
        Mean negative log joint likelihood.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    One read and one copy of a dense table; sparse input stays sparse and is observed everywhere.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import BernoulliNB
    >>> model = BernoulliNB().fit([[1, 0], [1, float("nan")], [0, 1]], [0, 0, 1])
    >>> np.exp(model.feature_log_prob_).round(6)
    array([[0.75    , 0.333333],
           [0.333333, 0.666667]])
    """

    card = Card(
        tasks=("classification",), cost="linear", search_space={"alpha": (1e-3, 1e2, "log")}
    )

    def __init__(
        self,
        *,
        alpha: ArrayLike = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.n_jobs = n_jobs

    def _check_params(self) -> None:
        check.params(self, flag="force_alpha fit_prior")
        if self.binarize is not None:
            try:
                valid = np.ndim(self.binarize) == 0 and np.isfinite(self.binarize)
            except TypeError:
                valid = False
            if not valid:
                raise check.fail(self, "binarize", "None or a number", self.binarize)

    def _check_rows(self, X: Any, *, fitting: bool) -> Any:
        """Zeros and ones, NaN kept."""
        if sparse.issparse(X):
            return self._sparse_ones(X)
        if self.binarize is None:
            if not np.all((X == 0) | (X == 1) | np.isnan(X)):
                raise check.fail(self, "X", "0 or 1 when binarize is None", "other values")
            return X
        ones = np.empty(X.shape, dtype=X.dtype)
        np.greater(X, self.binarize, out=ones)
        if np.isnan(np.sum(X)):
            ones[np.isnan(X)] = np.nan
        return ones

    def _sparse_ones(self, X: Any) -> Any:
        if self.binarize is not None and self.binarize < 0:
            raise check.fail(self, "binarize", "at least 0 for sparse input", self.binarize)
        ones = sparse.csr_array(X, copy=True)
        ones.sum_duplicates()
        if self.binarize is None and not np.all((ones.data == 0) | (ones.data == 1)):
            raise check.fail(self, "X", "0 or 1 when binarize is None", "other values")
        ones.data = (ones.data > (self.binarize or 0.0)).astype(ones.dtype)
        return ones

    def _count(self, X: Any, members: Membership) -> Floats:
        return BernoulliColumns(0.0).statistics(X, members)

    def _estimate(self, stats: Floats) -> tuple[BernoulliLikelihood, tuple[str, ...]]:
        alpha = pseudo_counts(self, self.alpha, stats.shape[2], force=self.force_alpha)
        likelihood = BernoulliColumns(alpha).fit(stats)
        self.feature_count_, self.feature_log_prob_ = stats[1], likelihood.log_one
        self.class_log_prior_ = self._log_prior
        return likelihood, ()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Counts and thresholds suit words, not the blobs that scores are tried on.
        tags.classifier_tags.poor_score = True
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags
