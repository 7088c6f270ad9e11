"""Gaussian process classification."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, FitError, atomic, check
from margin.core import random as randomness
from margin.core.types import Array, Floats
from margin.gp._capacity import fits
from margin.gp._default_kernel import default_kernel
from margin.gp._inputs import Precomputed, new, resolve_kernel, training
from margin.gp.classification._approximation import (
    INFERENCES,
    LIKELIHOODS,
    MULTI_CLASS,
    Approximation,
)
from margin.gp.classification._latent import Labels
from margin.gp.learning._learning import learn
from margin.gp.learning._settings import LearningSettings

_BLOCK = 1 << 22


class GaussianProcessClassifier(ClassifierMixin, BaseEstimator):
    r"""Gaussian process classification by Laplace's method or expectation propagation (gp.12).

    A latent function :math:`f \sim \mathrm{GP}(0, k)` decides the class through a likelihood,
    :math:`p(y = 1 \mid x) = s(f(x))` for two classes and the softmax of one function per class for
    more. The posterior of :math:`f` is approximated by a normal one, and probabilities are averaged
    over it (gp.13):

    .. math:: p(y = 1 \mid x, D) = \int s(f)\, N(f; \mu(x), v(x))\, df.

    The hyper-parameters of the kernel maximise the approximate marginal likelihood, with analytic
    gradients.

    Parameters
    ----------
    kernel : Kernel, str, callable or None, default=None
        Covariance :math:`k` of :mod:`margin.kernels`; kernels of strings, trees or graphs take
        lists of such objects. ``"precomputed"``: ``X`` is the matrix :math:`K`. None: a Gaussian
        with one length scale per column (up to 20 columns, then one for all), learned.
    likelihood : {"logistic", "probit"}, default="logistic"
        :math:`s(z) = 1 / (1 + e^{-z})` or :math:`\Phi(z)`.
    inference : {"laplace", "ep"}, default="laplace"
        Normal approximation at the mode, or by matching moments (expectation propagation), which
        is more accurate and slower.
    multi_class : {"auto", "softmax", "one_vs_rest"}, default="auto"
        More than two classes: one likelihood for all (only for the logistic one with Laplace's
        method, where ``"auto"`` takes it), or one two-class model per class. All share the kernel.
    optimizer : "fmin_l_bfgs_b", callable or None, default="fmin_l_bfgs_b"
        Search for the hyper-parameters; a callable is called as in scikit-learn. None keeps the
        kernel as it is.
    n_restarts_optimizer : int, default=0
        Further searches from random starts, within a factor of 100 of the given one.
    tol : float, default=1e-5
        Largest entry of the gradient of the objective, per row, that counts as zero.
    max_iter : int, default=200
        Most iterations of a search.
    random_state : int, Generator or None, default=None
        Seed of the restarts.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    kernel_ : Kernel
        The kernel with the hyper-parameters found.
    log_marginal_likelihood_value_ : float
        Approximate log marginal likelihood at ``kernel_``.
    X_train_ : ndarray or list
        Training objects.
    fit_report_ : FitReport
        Approximation and search. The objective is the negative log marginal likelihood per row.
    n_iter_ : int
        Iterations of the best search.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n^3)` per step of Newton's method or sweep of expectation propagation, for every class
    if there are more than two.

    References
    ----------
    C. E. Rasmussen and C. K. I. Williams, Gaussian Processes for Machine Learning, 2006, chapter 3.

    Examples
    --------
    >>> from margin.gp import GaussianProcessClassifier
    >>> from margin.kernels import RBF
    >>> X, y = [[0.0], [1.0], [3.0], [4.0]], ["a", "a", "b", "b"]
    >>> model = GaussianProcessClassifier(kernel=9.0 * RBF(1.0), optimizer=None).fit(X, y)
    >>> model.predict_proba([[2.0], [4.0]]).round(4)
    array([[0.5   , 0.5   ],
           [0.2344, 0.7656]])
    """

    card = Card(tasks=("classification",), cost="cubic", max_rows=2_000)

    def __init__(
        self,
        *,
        kernel: Any = None,
        likelihood: str = "logistic",
        inference: str = "laplace",
        multi_class: str = "auto",
        optimizer: str | Callable[..., Any] | None = "fmin_l_bfgs_b",
        n_restarts_optimizer: int = 0,
        tol: float = 1e-5,
        max_iter: int = 200,
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.likelihood = likelihood
        self.inference = inference
        self.multi_class = multi_class
        self.optimizer = optimizer
        self.n_restarts_optimizer = n_restarts_optimizer
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @atomic
    def fit(self, X: Any, y: Any) -> Self:
        """Fit the hyper-parameters and approximate the posterior.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a list of objects
        y : array-like of shape (n_samples,)
            Labels of at least two classes.

        Returns
        -------
        self
        """
        settings, approximation = self._settings(), self._approximation()
        kernel = resolve_kernel(self, self.kernel)
        X, y = training(self, kernel, X, y, target="classes")
        classes, codes = check.classes(self, y)
        fits(settings.owner, len(codes))
        if kernel is None:
            kernel = default_kernel(X, noise=False)
        seen = Labels(X, codes, len(classes))

        try:
            rng = randomness.generator(self.random_state)
            learned = learn(settings, kernel, approximation.solver(len(classes)), seen, rng)
            posterior = learned.solver.condition(learned.kernel, seen)
        except FitError as error:
            raise FitError(f"{settings.owner}: {error}") from error

        self.classes_, self.X_train_, self.kernel_ = classes, X, learned.kernel
        self._fitted_approximation, self._fitted_solver = approximation, learned.solver
        self._seen, self._posterior = seen, posterior
        solver = f"{learned.solver.label}, {learned.solution.solver}"
        solution = replace(learned.solution, solver=solver)
        self.log_marginal_likelihood_value_ = -seen.n * solution.objective
        self.fit_report_ = check.report(self, solution, learned.notes)
        self.n_iter_ = solution.n_iter
        return self

    def _settings(self) -> LearningSettings:
        check.params(self, positive="tol", count="max_iter")
        return LearningSettings(
            type(self).__name__,
            self.optimizer,
            self.n_restarts_optimizer,
            self.tol,
            self.max_iter,
        )

    def _approximation(self) -> Approximation:
        choices = {
            "likelihood": tuple(LIKELIHOODS),
            "inference": INFERENCES,
            "multi_class": MULTI_CLASS,
        }
        check.params(self, one_of=choices)
        way = Approximation(self.likelihood, self.inference, self.multi_class)
        if self.multi_class == "softmax" and not way.knows_softmax:
            need = "'auto' or 'one_vs_rest' unless likelihood='logistic' and inference='laplace'"
            raise check.fail(self, "multi_class", need, self.multi_class)
        return way

    def log_marginal_likelihood(self, theta: Any = None, eval_gradient: bool = False) -> Any:
        """Approximate log marginal likelihood.

        Parameters
        ----------
        theta : array-like of shape (p,), optional
            Log hyper-parameters; those of ``kernel_`` if left out.
        eval_gradient : bool, default=False
            Whether to return the gradient too.

        Returns
        -------
        float, or (float, ndarray of shape (p,))
        """
        check_is_fitted(self)
        if theta is None and not eval_gradient:
            return self.log_marginal_likelihood_value_
        kernel = self.kernel_ if theta is None else self.kernel_.with_theta(theta)
        there = self._fitted_solver.evaluate(kernel, self._seen, gradient=eval_gradient)
        return (there.value, there.gradient) if eval_gradient else there.value

    def latent_mean_and_variance(self, X: Any, *, prior: Any = None) -> tuple[Floats, Floats]:
        """Mean and spread of the latent function at new objects.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a list of objects
        prior : array-like of shape (n_samples,), optional
            Only for a precomputed kernel: its values at the new objects themselves.

        Returns
        -------
        mean : ndarray of shape (n_samples,), or (n_samples, n_classes) for more than two classes
        spread : ndarray
            Variances in the shape of the mean; covariances (n_samples, n_classes, n_classes) for
            the softmax.
        """
        check_is_fitted(self)
        X = new(self, self.kernel_, X)
        if isinstance(self.kernel_, Precomputed):
            if np.shape(prior) != (len(X),):
                need = f"an array of shape {(len(X),)} for a precomputed kernel"
                raise check.fail(self, "prior", need, prior)
            diag = np.asarray(prior, dtype=np.float64)
        else:
            diag = np.asarray(self.kernel_.diag(X), dtype=np.float64)
        step = max(1, _BLOCK // len(self.X_train_))
        blocks = [
            self._posterior.predict(self.kernel_, X[a : a + step], diag[a : a + step])
            for a in range(0, len(X), step)
        ]
        mean, spread = (np.concatenate(part) for part in zip(*blocks, strict=True))
        return mean, spread

    def predict_proba(self, X: Any, *, prior: Any = None) -> Floats:
        """Probability of every class, averaged over the latent function.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a list of objects
        prior : array-like of shape (n_samples,), optional
            As in :meth:`latent_mean_and_variance`.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        mean, spread = self.latent_mean_and_variance(X, prior=prior)
        return self._fitted_approximation.probabilities(mean, spread)

    def predict(self, X: Any, *, prior: Any = None) -> Array:
        """Most probable label of each row."""
        codes = self.predict_proba(X, prior=prior).argmax(axis=1)
        return np.asarray(self.classes_[codes])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags
