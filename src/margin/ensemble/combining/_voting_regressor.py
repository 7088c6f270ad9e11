"""The mean of different regressors."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn import ensemble

from margin.core import atomic
from margin.core.types import Matrix
from margin.distributions import Empirical
from margin.ensemble.combining._evidence import gathered, spread_of
from margin.ensemble.combining._features import SeenFeatures
from margin.ensemble.combining._member_weights import check_member_weights
from margin.ensemble.combining._plain_members import PlainMembers


class VotingRegressor(SeenFeatures, ensemble.VotingRegressor):
    r"""The weighted mean of different regressors.

    Scikit-learn's, with the spread of the members as a distribution, the evidence of all of them
    in one report, and a failed fit that changes nothing.

    Parameters
    ----------
    estimators : list of (str, regressor)
        Members with their names; ``"drop"`` in the place of a regressor leaves it out.
    weights : array-like of shape (n_regressors,), optional
        Weights of the members.
    n_jobs : int, optional
        Members trained at a time.
    verbose : bool, default=False
        Whether to print the time of each fit.

    Attributes
    ----------
    estimators_ : list of regressors
        The members.
    named_estimators_ : Bunch
        The same by name.
    fit_report_ : FitReport
        Worst status of the members.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Examples
    --------
    >>> from margin.ensemble import VotingRegressor
    >>> from margin.linear import LinearRegression, Ridge
    >>> X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0]
    >>> model = VotingRegressor([("ols", LinearRegression()), ("ridge", Ridge(2.0))]).fit(X, y)
    >>> model.predict([[3.0]]).round(4), model.member_dist([[3.0]]).interval(0.9)[0].round(4)
    (array([2.5]), array([2.]))
    """

    @atomic
    def fit(self, X: Matrix, y: ArrayLike, **fit_params: Any) -> Self:
        """Train the members.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        **fit_params : dict
            ``sample_weight`` for all members, or what metadata routing sends them.

        Returns
        -------
        self
        """
        check_member_weights(self)
        members = PlainMembers.of(self, X, y, fit_params, ("regressor",))
        if members is None or self.weights is not None:
            super().fit(X, y, **fit_params)
        else:
            self.estimators_ = members.fitted(X, y)
            self.named_estimators_ = members.named(self.estimators_)
        kept = {k: m for k, m in self.named_estimators_.items() if m != "drop"}
        self.fit_report_ = gathered(type(self).__name__, kept)
        return self

    def member_dist(self, X: Matrix) -> Empirical:
        """Predictions of the members by weight; not the noise of the targets.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        Empirical
            One distribution per row.
        """
        weights = None if self.weights is None else np.asarray(self._weights_not_none)
        return spread_of(list(self.transform(X).T), weights)
