"""Linear regression by stochastic gradient descent."""

from typing import Any, Literal, Self

from numpy.typing import ArrayLike

from margin.core import Card, atomic
from margin.core.types import Matrix
from margin.linear.online._sgd_settings import Settings
from margin.linear.online._stochastic_regressor import StochasticRegressor


class SGDRegressor(StochasticRegressor):
    r"""Linear regression fitted one row at a time (optim.03).

    Minimises :math:`\frac1S \sum_i s_i\, \ell(w^\top x_i + b, y_i) + \alpha\, J(w)`,
    :math:`S = \sum_i s_i`, by :math:`w \leftarrow w - \eta_t (s_i \nabla \ell_i + \alpha \nabla J)`
    for one row after the other. With the squared loss and no penalty the step is the rule of
    Widrow and Hoff, :math:`w \leftarrow w + \eta_t (y_i - w^\top x_i) x_i` (linear.04).

    Parameters
    ----------
    loss : str, default="squared_error"
        One of "squared_error", "huber", "epsilon_insensitive", "squared_epsilon_insensitive".
        Half the square, the square with linear tails, or the error beyond a tube or its square.
    penalty : {"l2", "l1", "elasticnet", None}, default="l2"
        :math:`J(w) = \tfrac12\|w\|^2`, :math:`\|w\|_1` or a mixture; never of the intercept.
    alpha : float, default=0.0001
        Strength of the penalty, at least 0.
    l1_ratio : float, default=0.15
        Share of the absolute penalty in ``"elasticnet"``; may be ``None`` for the others.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`, which starts at the mean of the targets unless ``tol=None``.
    max_iter : int, default=1000
        Most epochs.
    tol : float or None, default=1e-3
        An epoch that lowers the objective by less than this share of its value at the start makes
        no progress; ``None`` to make ``max_iter`` epochs and end at the last point.
    shuffle : bool, default=True
        Whether every epoch has a random order of its own.
    verbose : int, default=0
        Without effect: progress of long fits is shown by :mod:`margin.core.progress`.
    epsilon : float, default=0.1
        Where the Huber loss becomes linear; half the width of the insensitive tube.
    n_jobs : int, optional
        Threads of the passes over the rows; the answer does not depend on it.
    random_state : int, RandomState, Generator or None, default=0
        Seed of the orders; ``None`` for another one every time.
    learning_rate : str, default="invscaling"
        One of "optimal", "constant", "invscaling", "adaptive", "pa1", "pa2".
        As in :class:`SGDClassifier`; ``"pa1"`` and ``"pa2"`` for ``"epsilon_insensitive"``.
    eta0 : float, default=0.01
        First step length, except of ``"optimal"``.
    power_t : float, default=0.25
        Exponent of ``"invscaling"``.
    early_stopping : bool, default=False
        Whether to watch the squared error of rows that are set aside, in place of the objective.
    validation_fraction : float, default=0.1
        Share of rows set aside for early stopping.
    n_iter_no_change : int, default=5
        Epochs without progress that end the search.
    warm_start : bool, default=False
        Whether to start from the coefficients of the last fit.
    average : bool or int, default=False
        Whether the answer is the mean of the iterates; a number: from that step on (optim.07).

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients :math:`w`.
    intercept_ : ndarray of shape (1,)
        Intercept :math:`b`.
    fit_report_ : FitReport
        Objective after every epoch, and why the search ended.
    n_iter_ : int
        Epochs made; all of those of ``partial_fit``.
    t_ : int
        Steps made.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(p)` per row and epoch, as many operations as stored entries for sparse rows, plus one
    pass per epoch that evaluates the objective. Rows are visited in an order that depends on
    their contents, equal rows at once (from 65 536 rows on in blocks as stored). Rates too high
    for the scale of the features are lowered, which ``fit_report_`` records.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import SGDRegressor
    >>> X = np.linspace(-1, 1, 50)[:, None]
    >>> model = SGDRegressor(alpha=0, tol=1e-9).fit(X, 3 * X[:, 0] + 1)
    >>> model.coef_.round(2), model.intercept_.round(2)
    (array([3.]), array([1.]))
    """

    card = Card(tasks=("regression",), cost="linear", search_space={"alpha": (1e-6, 1e-1, "log")})

    def __init__(
        self,
        loss: Literal[
            "squared_error", "huber", "epsilon_insensitive", "squared_epsilon_insensitive"
        ] = "squared_error",
        *,
        penalty: Literal["l2", "l1", "elasticnet"] | None = "l2",
        alpha: float = 0.0001,
        l1_ratio: float | None = 0.15,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        shuffle: bool = True,
        verbose: int = 0,
        epsilon: float = 0.1,
        n_jobs: int | None = None,
        random_state: Any = 0,
        learning_rate: Literal[
            "optimal", "constant", "invscaling", "adaptive", "pa1", "pa2"
        ] = "invscaling",
        eta0: float = 0.01,
        power_t: float = 0.25,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        warm_start: bool = False,
        average: bool | int = False,
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.epsilon = epsilon
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.learning_rate = learning_rate
        self.eta0 = eta0
        self.power_t = power_t
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.average = average

    @atomic
    def fit(
        self,
        X: Matrix,
        y: ArrayLike,
        coef_init: ArrayLike | None = None,
        intercept_init: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Fit until the objective no longer falls.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        coef_init : array-like of shape (n_features,), optional
            Coefficients to start from.
        intercept_init : array-like of shape (1,), optional
            Intercepts to start from.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        return self._learn(X, y, coef_init, intercept_init, sample_weight)

    @atomic
    def partial_fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """One epoch over these rows, continuing from where the last call ended (adaptation.08).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        return self._learn_on(X, y, sample_weight)

    def _settings(self) -> Settings:
        return self._gradient_settings()
