"""Gaussian process classification."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, FitError, atomic, check, threads
from margin.core import random as randomness
from margin.core.types import Array, Floats
from margin.gp._border import Border, given_kernel
from margin.gp._capacity import fits
from margin.gp._default_kernel import default_kernel
from margin.gp._inputs import Precomputed, new, training
from margin.gp.classification._approximation import (
    INFERENCES,
    LIKELIHOODS,
    MULTI_CLASS,
    Approximation,
)
from margin.gp.classification._latent import Labels, LatentPosterior
from margin.gp.classification._one_vs_one import most_wins
from margin.gp.learning._learning import learn
from margin.gp.learning._settings import LearningSettings
from margin.kernels import SearchedKernel

_BLOCK = 1 << 22


class GaussianProcessClassifier(ClassifierMixin, SearchedKernel, BaseEstimator):
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
        Covariance :math:`k` of :mod:`margin.kernels`, or one of scikit-learn's, with its bounds;
        kernels of strings, trees or graphs take lists of such objects. ``"precomputed"``: ``X``
        is the matrix :math:`K`. None: a Gaussian
        with one length scale per column (up to 20 columns, then one for all), learned.
    likelihood : {"logistic", "probit"}, default="logistic"
        :math:`s(z) = 1 / (1 + e^{-z})` or :math:`\Phi(z)`.
    inference : {"laplace", "ep"}, default="laplace"
        Normal approximation at the mode, or by matching moments (expectation propagation), which
        is more accurate and slower.
    multi_class : {"auto", "softmax", "one_vs_rest", "one_vs_one"}, default="auto"
        More than two classes: one likelihood for all (only for the logistic one with Laplace's
        method, where ``"auto"`` takes it), one two-class model per class, or one per pair of
        classes, which gives no probabilities. All share the kernel.
    optimizer : "fmin_l_bfgs_b", callable or None, default="fmin_l_bfgs_b"
        Search for the hyper-parameters; a callable is called as in scikit-learn. None keeps the
        kernel as it is.
    n_restarts_optimizer : int, default=0
        Further searches from random starts anywhere in the bounds of the kernel.
    tol : float, default=1e-5
        Largest entry of the gradient of the objective, per row, that counts as zero.
    max_iter : int, default=200
        Most iterations of a search.
    max_iter_predict : int, default=100
        Without effect: Newton's method always runs until it has converged.
    warm_start : bool, default=False
        Without effect: Newton's method ends at the same mode, whatever it starts from.
    copy_X_train : bool, default=True
        Without effect: the model always keeps a copy of its own, which nobody else can change.
    n_jobs : int or None, default=None
        Without effect: the classes share the kernel, and its matrix is computed once for all.
    random_state : int, Generator or None, default=None
        Seed of the restarts.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    n_classes_ : int
        Number of classes.
    kernel_ : Kernel
        The kernel with the hyper-parameters found; scikit-learn's where one of these was given.
    log_marginal_likelihood_value_ : float
        Approximate log marginal likelihood at ``kernel_``.
    X_train_ : ndarray or list
        Training objects.
    base_estimator_ : GaussianProcessClassifier
        The classifier itself, where scikit-learn keeps its kernel and likelihood.
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
        kernel: Any = None,
        *,
        likelihood: str = "logistic",
        inference: str = "laplace",
        multi_class: str = "auto",
        optimizer: str | Callable[..., Any] | None = "fmin_l_bfgs_b",
        n_restarts_optimizer: int = 0,
        tol: float = 1e-5,
        max_iter: int = 200,
        max_iter_predict: int = 100,
        warm_start: bool = False,
        copy_X_train: bool = True,
        n_jobs: int | None = None,
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
        self.max_iter_predict = max_iter_predict
        self.warm_start = warm_start
        self.copy_X_train = copy_X_train
        self.n_jobs = n_jobs
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
        border = given_kernel(self, self.kernel, X, learns=self.optimizer is not None)
        settings, approximation = self._settings(border), self._approximation()
        kernel = border.kernel
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

        self.classes_, self.n_classes_, self.X_train_ = classes, len(classes), X
        self.kernel_ = border.shown(learned.kernel)
        self._border, self._fitted_kernel = border, learned.kernel
        self._fitted_approximation, self._fitted_solver = approximation, learned.solver
        self._seen, self._posterior = seen, posterior
        solver = f"{learned.solver.label}, {learned.solution.solver}"
        solution = replace(learned.solution, solver=solver)
        self.log_marginal_likelihood_value_ = -seen.n * solution.objective
        self.fit_report_ = check.report(self, solution, learned.notes)
        self.n_iter_ = solution.n_iter
        if self.optimizer is not None:
            border.warn(learned.kernel)
        return self

    def _settings(self, border: Border) -> LearningSettings:
        check.params(
            self,
            positive="tol",
            count="max_iter max_iter_predict",
            flag="warm_start copy_X_train",
        )
        if self.n_jobs is not None:
            threads.count(self.n_jobs)
        border.check_restarts(self, self.n_restarts_optimizer)
        return LearningSettings(
            type(self).__name__,
            border.search(self.optimizer),
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
            need = "'softmax' only for likelihood='logistic' and inference='laplace', else 'auto'"
            raise check.fail(self, "multi_class", need, self.multi_class)
        return way

    def log_marginal_likelihood(
        self, theta: Any = None, eval_gradient: bool = False, clone_kernel: bool = True
    ) -> Any:
        """Approximate log marginal likelihood.

        Parameters
        ----------
        theta : array-like of shape (p,), optional
            Log hyper-parameters; those of ``kernel_`` if left out.
        eval_gradient : bool, default=False
            Whether to return the gradient too.
        clone_kernel : bool, default=True
            False leaves a ``kernel_`` of scikit-learn at ``theta``, as there; predictions stay.
            Without effect on kernels of ours, which never change.

        Returns
        -------
        float, or (float, ndarray of shape (p,))
        """
        check_is_fitted(self)
        if theta is None and not eval_gradient:
            return self.log_marginal_likelihood_value_
        kernel = self._border.at(self._fitted_kernel, theta)
        there = self._fitted_solver.evaluate(kernel, self._seen, gradient=eval_gradient)
        if theta is not None and not clone_kernel:
            self.kernel_ = self._border.shown(kernel) if self._border.translation else self.kernel_
        value = np.float64(there.value)
        return (value, self._border.gradient(there.gradient)) if eval_gradient else value

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
            One column for each pair of classes where these are compared one against one.
        spread : ndarray
            Variances in the shape of the mean; covariances (n_samples, n_classes, n_classes) for
            the softmax.
        """
        check_is_fitted(self)
        X = new(self, self._fitted_kernel, X)
        if isinstance(self._fitted_kernel, Precomputed):
            if np.shape(prior) != (len(X),):
                need = f"an array of shape {(len(X),)} for a precomputed kernel"
                raise check.fail(self, "prior", need, prior)
            diag = np.asarray(prior, dtype=np.float64)
        else:
            diag = np.asarray(self._fitted_kernel.diag(X), dtype=np.float64)
        step = max(1, _BLOCK // len(self.X_train_))
        blocks = [
            self._posterior.predict(self._fitted_kernel, X[a : a + step], diag[a : a + step])
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
        check_is_fitted(self)
        if self._by_pairs:
            need = (
                "another for probabilities: one_vs_one multi-class mode does not support "
                "predicting probability estimates"
            )
            raise check.fail(self, "multi_class", need, "one_vs_one")
        mean, spread = self.latent_mean_and_variance(X, prior=prior)
        return self._fitted_approximation.probabilities(mean, spread)

    def predict(self, X: Any, *, prior: Any = None) -> Array:
        """Most probable label of each row."""
        check_is_fitted(self)
        if self._by_pairs:
            mean, _ = self.latent_mean_and_variance(X, prior=prior)
            codes = most_wins(mean, self.n_classes_)
        elif isinstance(self._posterior, LatentPosterior) and prior is None and self._vectors:
            # Both likelihoods are symmetric: the more probable class is the side of the mean.
            X = new(self, self._fitted_kernel, X)
            codes = (self._posterior.mean(self._fitted_kernel, X) > 0).astype(np.intp)
        else:
            codes = self.predict_proba(X, prior=prior).argmax(axis=1)
        return np.asarray(self.classes_[codes])

    @property
    def base_estimator_(self) -> Self:
        """The classifier itself, once it is fitted."""
        check_is_fitted(self, "kernel_")
        return self

    @property
    def _vectors(self) -> bool:
        return not isinstance(self._fitted_kernel, Precomputed)

    @property
    def _by_pairs(self) -> bool:
        return self.n_classes_ > 2 and self._fitted_approximation.multi_class == "one_vs_one"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags
