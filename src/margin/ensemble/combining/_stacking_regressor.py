"""A regressor over the predictions of others."""

from collections.abc import Sequence
from typing import Any, Self

from numpy.typing import ArrayLike
from sklearn import ensemble

from margin.core import atomic, available_if
from margin.core.types import Floats, Matrix
from margin.ensemble.combining._evidence import gathered
from margin.ensemble.combining._features import SeenFeatures
from margin.ensemble.combining._plain_members import PlainMembers, plain_splits


def _final_has_distributions(self: Any) -> bool:
    return hasattr(getattr(self, "final_estimator_", self.final_estimator), "predict_dist")


class StackingRegressor(SeenFeatures, ensemble.StackingRegressor):
    r"""A regressor over the out-of-fold predictions of others (tree.19).

    The final regressor learns from what the members say about rows that they were not trained
    on. Scikit-learn's, with these predictions kept, the evidence of all members in one report, and
    a failed fit that changes nothing.

    Parameters
    ----------
    estimators : list of (str, estimator)
        Members with their names; ``"drop"`` in the place of an estimator leaves it out.
    final_estimator : regressor, optional
        Learns from the predictions; ridge regression by default, its strength chosen by
        cross-validation.
    cv : int, splitter, iterable or "prefit", optional
        Folds of the out-of-fold predictions, five by default; ``"prefit"`` takes members that are
        fitted, on other rows.
    n_jobs : int, optional
        Members trained at a time.
    passthrough : bool, default=False
        Whether the final regressor sees the features too.
    verbose : int, default=0
        Passed to joblib.

    Attributes
    ----------
    estimators_ : list of estimators
        The members, trained on all rows.
    named_estimators_ : Bunch
        The same by name.
    final_estimator_ : regressor
        Trained on ``out_of_fold_``.
    stack_method_ : list of str
        What each member was asked.
    out_of_fold_ : ndarray of shape (n_samples, n_predictions)
        Predictions of every training row by members that had not seen it, then the features where
        ``passthrough`` is set.
    fit_report_ : FitReport
        Worst status of members and final regressor.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    References
    ----------
    Wolpert (1992), Neural Networks 5.

    Examples
    --------
    >>> from margin.ensemble import StackingRegressor
    >>> from margin.linear import LinearRegression, Ridge
    >>> X, y = [[i] for i in range(20)], [2.0 * i for i in range(20)]
    >>> members = [("ols", LinearRegression()), ("ridge", Ridge(100.0))]
    >>> model = StackingRegressor(members, LinearRegression()).fit(X, y)
    >>> model.predict([[30]]).round(6), model.out_of_fold_.shape
    (array([60.]), (20, 2))
    """

    @atomic
    def fit(self, X: Matrix, y: ArrayLike, **fit_params: Any) -> Self:
        """Train the members, then the final regressor on their out-of-fold predictions.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        **fit_params : dict
            ``sample_weight`` for all, or what metadata routing sends them.

        Returns
        -------
        self
        """
        if hasattr(self, "out_of_fold_"):
            del self.out_of_fold_
        if not self._fit_plainly(X, y, fit_params):
            super().fit(X, y, **fit_params)
        kept = {k: m for k, m in self.named_estimators_.items() if m != "drop"}
        kept["final"] = self.final_estimator_
        self.fit_report_ = gathered(type(self).__name__, kept)
        return self

    def _fit_plainly(self, X: Any, y: Any, fit_params: dict[str, Any]) -> bool:
        """Fit in the short way, if nothing is out of the ordinary."""
        members = PlainMembers.of(self, X, y, fit_params, ("regressor",))
        splits = None if members is None else plain_splits(self, X, y, classes=False)
        if members is None or splits is None:
            return False
        self._validate_final_estimator()
        methods = [
            self._method_name(name, model, self.stack_method)
            for name, model in zip(members.names, members.models, strict=True)
        ]
        fitted = members.fitted(X, y)
        predictions = members.out_of_fold(X, y, methods, splits)
        if predictions is None:
            return False
        self.estimators_, self.named_estimators_ = fitted, members.named(fitted)
        self.stack_method_ = methods
        self.final_estimator_.fit(self._concatenate_predictions(X, predictions), y)
        return True

    def _concatenate_predictions(self, X: Matrix, predictions: Sequence[Any]) -> Floats:
        table: Floats = super()._concatenate_predictions(X, predictions)
        if not hasattr(self, "out_of_fold_"):  # the first table is what the final model learns from
            self.out_of_fold_ = table
        return table

    @available_if(_final_has_distributions)
    def predict_dist(self, X: Matrix) -> Any:
        """Distribution of the target by the final regressor, where it has one.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        Distribution
            One distribution per row.
        """
        return self.final_estimator_.predict_dist(self.transform(X))
