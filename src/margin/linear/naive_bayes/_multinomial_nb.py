"""Naive Bayes of word counts."""

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn import config_context
from sklearn.utils import assert_all_finite

from margin.core import Card, check
from margin.core.types import Array, Floats
from margin.linear._membership import Membership
from margin.linear.naive_bayes._column_models import ColumnLikelihood
from margin.linear.naive_bayes._document_columns import MultinomialColumns, PolyaLikelihood
from margin.linear.naive_bayes._naive_bayes import NaiveBayes, pseudo_counts, refuse_negative


class MultinomialNB(NaiveBayes):
    r"""Naive Bayes of counts, such as the words of a text (linear.45).

    Every occurrence in a document of class ``c`` is a draw from one distribution,
    :math:`\theta_{kc} = (N_{kc} + \alpha_k) / (N_c + \sum_l \alpha_l)`, so that

    .. math:: \log p(x, c) = \log \pi_c + \sum_k x_k \log \theta_{kc} + \text{const},

    a linear function of the counts: ``feature_log_prob_`` holds its coefficients and
    ``class_log_prior_`` its constants.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Pseudo-counts of a Dirichlet prior. Without any (0), a word never seen in a class has
        probability zero, which counts as :math:`10^{-300}` in a score.
    force_alpha : bool, default=True
        Whether an ``alpha`` below :math:`10^{-10}` is taken as it is rather than raised to that.
    fit_prior : bool, default=True
        Whether class priors are frequencies; equal ones otherwise (linear.25).
    class_prior : array-like of shape (n_classes,), optional
        Class priors, in place of either.
    estimate : {"map", "bayes"}, default="map"
        ``"map"`` predicts with the smoothed frequencies: the posterior mean under Dirichlet(α), the
        mode under Dirichlet(α + 1). ``"bayes"`` integrates over the posterior for the document as a
        whole (a Pólya distribution): repeated words then weigh less than independent ones. Needs
        ``alpha`` above 0.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    class_count_, class_log_prior_ : ndarray of shape (n_classes,)
        Weight of the rows of each class, and log priors.
    feature_count_, feature_log_prob_ : ndarray of shape (n_classes, n_features)
        Occurrences of each word in each class, and log probabilities.
    fit_report_ : FitReport
        Mean negative log joint likelihood, multinomial coefficients left out.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    One read of the data; sparse input stays sparse.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import MultinomialNB
    >>> model = MultinomialNB().fit([[2, 1, 0], [1, 0, 0], [0, 1, 3]], ["a", "a", "b"])
    >>> np.exp(model.feature_log_prob_)[0].round(6)
    array([0.571429, 0.285714, 0.142857])
    >>> model.predict([[1, 1, 0], [0, 0, 1]])
    array(['a', 'b'], dtype='<U1')
    """

    card = Card(
        tasks=("classification",), cost="linear", search_space={"alpha": (1e-3, 1e2, "log")}
    )

    def __init__(
        self,
        *,
        alpha: ArrayLike = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        estimate: Literal["map", "bayes"] = "map",
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.estimate = estimate
        self.n_jobs = n_jobs

    def _check_params(self) -> None:
        check.params(self, flag="force_alpha fit_prior", one_of={"estimate": ("map", "bayes")})

    def _check_data(
        self, X: Any, y: Any, sample_weight: Any, reset: bool
    ) -> tuple[Any, Array, Floats | None]:
        # The sums of the fit show whether all entries are finite: a pass over the rows saved.
        with config_context(assume_finite=True):
            X, y, weight = super()._check_data(X, y, sample_weight, reset)
        if y.dtype.kind not in "iub":
            assert_all_finite(y, estimator_name=type(self).__name__, input_name="y")
        return X, y, weight

    def _check_rows(self, X: Any, *, fitting: bool) -> Any:
        return X

    def _count(self, X: Any, members: Membership) -> Floats:
        words, least = members.counts(X)
        if not np.isfinite(words).all():
            assert_all_finite(X, estimator_name=type(self).__name__, input_name="X")
        refuse_negative(self, least)
        return words

    def _estimate(self, stats: Floats) -> tuple[ColumnLikelihood, tuple[str, ...]]:
        alpha = pseudo_counts(self, self.alpha, stats.shape[1], force=self.force_alpha)
        if self.estimate == "bayes" and not np.all(alpha > 0):
            raise check.fail(self, "alpha", 'above 0 with estimate="bayes"', self.alpha)
        length = float(stats.sum() / max(self.class_count_.sum(), 1.0))
        likelihood = MultinomialColumns(alpha, length).fit(stats)
        self.feature_count_, self.feature_log_prob_ = stats, likelihood.log_theta
        self.class_log_prior_ = self._log_prior
        if self.estimate == "bayes":
            return PolyaLikelihood(stats + alpha, alpha, length), ()
        return likelihood, ()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Counts and thresholds suit words, not the blobs that scores are tried on.
        tags.classifier_tags.poor_score = True
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags
