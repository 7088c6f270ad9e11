"""Linear support vector regression."""

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.exceptions import ConvergenceWarning

from margin.core import Card, atomic, check, progress, random
from margin.core.types import Array, Floats
from margin.svm.linear._linear_fit import linear_dual, solve_linear
from margin.svm.linear._linear_machine import LinearMachine

LOSSES = ("epsilon_insensitive", "squared_epsilon_insensitive")


class LinearSVR(RegressorMixin, LinearMachine):
    r"""Linear support vector regression for many rows and features (svm.09, svm.15).

    Minimises :math:`\tfrac12 \|w\|^2 + \tfrac{b^2}{2 c^2}
    + C \sum_i s_i \max(0, |y_i - x_i^\top w - b| - \epsilon)`, or the squares of the maxima, with
    :math:`c` the ``intercept_scaling``.

    Parameters
    ----------
    epsilon : float, default=0.0
        Half width of the tube in which errors cost nothing.
    C : float, default=1.0
        Price of an error, above 0.
    loss : {"epsilon_insensitive", "squared_epsilon_insensitive"}, default="epsilon_insensitive"
        The loss above.
    dual : {"auto", True, False}, default="auto"
        ``True``: coordinate descent on the dual, ``False``: Newton steps; ``"auto"``: the dual for
        sparse tables of more than 1500 columns if the intercept is penalised. All reach the same
        minimum.
    tol : float, default=1e-4
        Duality gap, divided by the objective, that counts as converged.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`.
    intercept_scaling : float, default=numpy.inf
        Value of the constant feature whose weight gives the intercept, penalised like the others.
        Infinite: not penalised, so that adding a number to ``y`` adds it to the predictions;
        scikit-learn's default is 1. Coordinate descent needs a finite one: with an infinite one
        Newton steps are taken whatever ``dual`` says.
    verbose : int or bool, default=0
        Whether to print the fit report.
    max_iter : int, default=1000
        Most passes over the rows and steps of conjugate gradients, or most Newton steps.
    random_state : int, Generator, RandomState or None, default=0
        Order of the rows in coordinate descent.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Weights.
    intercept_ : float
        Intercept.
    dual_coef_ : ndarray of shape (n_samples,)
        Multipliers: ``coef_ = dual_coef_ @ X`` up to the tolerance; zero inside the tube.
    fit_report_ : FitReport
        Primal objective and the relative duality gap.
    n_iter_ : int
        Passes or Newton steps.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Examples
    --------
    >>> from margin.svm import LinearSVR
    >>> model = LinearSVR(C=100, epsilon=0.0).fit([[0], [1], [2]], [1, 3, 5])
    >>> model.coef_.round(4), round(float(model.intercept_), 4)
    (array([2.]), 1.0)
    """

    _losses: ClassVar[tuple[str, ...]] = LOSSES
    card = Card(
        tasks=("regression",),
        cost="linear",
        search_space={"C": (1e-3, 1e3, "log"), "loss": list(LOSSES)},
    )

    def __init__(
        self,
        *,
        epsilon: float = 0.0,
        C: float = 1.0,
        loss: str = "epsilon_insensitive",
        dual: bool | str = "auto",
        tol: float = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = np.inf,
        verbose: int = 0,
        max_iter: int = 1000,
        random_state: Any = 0,
    ) -> None:
        self.epsilon = epsilon
        self.C = C
        self.loss = loss
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.verbose = verbose
        self.max_iter = max_iter
        self.random_state = random_state

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the coefficients.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative factors of ``C``; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_linear()
        check.params(self, nonnegative="epsilon")
        X, y, weight = check.data(self, X, y, sample_weight, sparse=True, order="C")

        weight = np.ones(len(y)) if weight is None else weight
        settings = self._settings(squared=self.loss == LOSSES[1], epsilon=self.epsilon)
        problem = linear_dual(settings, X, y, weight, None)
        seed = int(random.generator(self.random_state).integers(2**31))

        with progress.bar(type(self).__name__, self.max_iter) as tick:
            functions = solve_linear(settings, problem, seed, tick)

        self.coef_ = functions.coef[0].astype(X.dtype)
        self.intercept_ = X.dtype.type(functions.intercept[0])
        self.dual_coef_ = functions.beta[0]
        self._keep_report(functions.solution)
        self._warn_if_flat(X, y)
        return self

    def _warn_if_flat(self, X: Any, y: Floats) -> None:
        """Say so where the features are too small to matter beside the penalty."""
        largest = abs(X).max(axis=0)
        largest = largest.toarray() if hasattr(largest, "toarray") else np.asarray(largest)
        reach = float(np.abs(largest).ravel() @ np.abs(self.coef_))
        if largest.any() and reach < 1e-6 * float(np.std(y)):
            warnings.warn(
                f"{type(self).__name__}: the features, of size {float(largest.max()):.3g}, are so "
                f"small that the penalty leaves them without effect at C={self.C:g}; scale them "
                "or raise C",
                ConvergenceWarning,
                stacklevel=3,
            )

    def predict(self, X: Any) -> Array:
        """Predicted number of every row."""
        X = check.table(self, X, sparse=True)
        return np.asarray(X @ self.coef_ + self.intercept_)
