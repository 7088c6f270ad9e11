"""Passive-aggressive regression."""

from typing import Any, Literal, Self

from numpy.typing import ArrayLike

from margin.core import Card, atomic, check
from margin.core.types import Matrix
from margin.linear.online._sgd_settings import Settings
from margin.linear.online._stochastic_regressor import StochasticRegressor


class PassiveAggressiveRegressor(StochasticRegressor):
    r"""Linear regression that changes as little as each row allows.

    With the loss :math:`\ell = \max(0, |y_i - z_i| - \epsilon)`, :math:`z_i = w^\top x_i + b`, of
    one row after the other, :math:`w \leftarrow w + \tau \operatorname{sign}(y_i - z_i)\, x_i` with

    .. math:: \tau = \min(C, \ell / \|x_i\|^2) \quad\text{or}\quad
        \tau = \ell / (\|x_i\|^2 + 1/(2C)).

    The same as :class:`SGDRegressor` with ``loss="epsilon_insensitive"``, no penalty and
    ``learning_rate="pa1"`` or ``"pa2"``.

    Parameters
    ----------
    C : float, default=1.0
        Longest step, or what damps it: small for noisy targets.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`, which starts at the mean of the targets unless ``tol=None``.
    max_iter : int, default=1000
        Most epochs.
    tol : float or None, default=1e-3
        An epoch that lowers the mean loss by less than this share of its value at the start makes
        no progress; ``None`` to make ``max_iter`` epochs and end at the last point.
    early_stopping : bool, default=False
        Whether to watch the squared error on rows that are set aside, in place of the loss.
    validation_fraction : float, default=0.1
        Share of rows set aside for early stopping.
    n_iter_no_change : int, default=5
        Epochs without progress that end the search.
    shuffle : bool, default=True
        Whether every epoch has a random order of its own.
    verbose : int, default=0
        Without effect: progress of long fits is shown by :mod:`margin.core.progress`.
    loss : {"epsilon_insensitive", "squared_epsilon_insensitive"}, default="epsilon_insensitive"
        The first or the second :math:`\tau`.
    epsilon : float, default=0.1
        Half the width of the tube within which errors cost nothing.
    random_state : int, RandomState, Generator or None, default=0
        Seed of the orders; ``None`` for another one every time.
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
        Mean loss after every epoch, and why the search ended.
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
    pass per epoch that evaluates the loss.

    References
    ----------
    Crammer, Dekel, Keshet, Shalev-Shwartz, Singer, Online passive-aggressive algorithms, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import PassiveAggressiveRegressor
    >>> X = np.linspace(-1, 1, 50)[:, None]
    >>> model = PassiveAggressiveRegressor(C=0.1, epsilon=0.01).fit(X, 3 * X[:, 0] + 1)
    >>> model.coef_.round(1), model.intercept_.round(1)
    (array([3.]), array([1.]))
    """

    card = Card(tasks=("regression",), cost="linear", search_space={"C": (1e-3, 1e1, "log")})

    def __init__(
        self,
        *,
        C: float = 1.0,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        shuffle: bool = True,
        verbose: int = 0,
        loss: Literal["epsilon_insensitive", "squared_epsilon_insensitive"] = "epsilon_insensitive",
        epsilon: float = 0.1,
        random_state: Any = 0,
        warm_start: bool = False,
        average: bool | int = False,
    ) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.shuffle = shuffle
        self.verbose = verbose
        self.loss = loss
        self.epsilon = epsilon
        self.random_state = random_state
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
        """Fit until the loss no longer falls.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        coef_init : array-like of shape (n_features,), optional
            Coefficients to start from.
        intercept_init : array-like of shape (1,), optional
            Intercepts to start from.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights, relative to their mean: factors of the steps.

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
        kinds = ("epsilon_insensitive", "squared_epsilon_insensitive")
        check.params(self, positive="C", nonnegative="epsilon", one_of={"loss": kinds})
        return self._all_settings(
            loss="epsilon_insensitive",
            epsilon=self.epsilon,
            penalty=None,
            alpha=0.0,
            l1_ratio=None,
            learning_rate="pa1" if self.loss == "epsilon_insensitive" else "pa2",
            eta0=self.C,
            power_t=0.0,
        )
