"""What a fitted regression answers."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from margin.core import random as randomness
from margin.core.types import Floats
from margin.distributions import MultivariateNormal, Normal
from margin.gp._border import Border
from margin.gp._inputs import new
from margin.gp.regression._prediction import Predictor
from margin.gp.regression._prior import Prior
from margin.gp.solvers._interface import Observations, Solver


class RegressionAnswers(ABC):
    """Predictions, distributions, draws and leave-one-out of a process.

    The estimator that derives from this has the parameters ``kernel``, ``mean`` and ``alpha``, and
    after ``fit`` a ``Predictor``, the solver at the unknowns found, and the data that it saw.
    """

    kernel: Any
    mean: Any
    alpha: Any
    kernel_: Any
    y_train_: Floats
    log_marginal_likelihood_value_: float
    n_targets: Any
    _border: Border
    _predictor: Predictor
    _fitted_solver: Solver
    _seen: Observations

    @abstractmethod
    def fit(self, X: Any, y: Any) -> Any:
        """Leave ``_predictor``, ``_fitted_solver`` and ``_seen``."""

    @property
    def alpha_(self) -> Any:
        """Dual coefficients of the exact method; None for the others."""
        dual = getattr(self._fitted().posterior, "alpha", None)
        return None if dual is None else dual.reshape(self.y_train_.shape)

    def _factor(self) -> Any:
        """Lower Cholesky factor of the covariance of the targets; None but for the exact method."""
        factor = getattr(self._fitted().posterior, "cov", None)
        return None if factor is None else np.tril(factor.lower)

    L_ = property(_factor)

    def log_marginal_likelihood(
        self, theta: Any = None, eval_gradient: bool = False, clone_kernel: bool = True
    ) -> Any:
        """Log marginal likelihood, or what the method has in its place.

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
        if theta is None and not eval_gradient:
            return self.log_marginal_likelihood_value_
        kernel = self._border.at(self._fitted().kernel, theta)
        there = self._fitted_solver.evaluate(kernel, self._seen, gradient=eval_gradient)
        if theta is not None and not clone_kernel:
            self.kernel_ = self._border.shown(kernel) if self._border.translation else self.kernel_
        value = np.float64(there.value)
        if not eval_gradient:
            return value
        return value, self._border.gradient(there.gradient[: len(kernel.theta)])

    def predict(
        self, X: Any, return_std: bool = False, return_cov: bool = False, *, prior: Any = None
    ) -> Any:
        """Mean of the function, with standard deviation or joint covariance if asked.

        White noise of the kernel is part of both, as in scikit-learn. Before ``fit`` these are
        those of the prior.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a list of objects
            For a precomputed kernel the matrix of shape (n_samples, n_training_samples).
        return_std, return_cov : bool, default=False
            What to return besides the mean; one of them at most.
        prior : ndarray, optional
            Only for a precomputed kernel: its values between the new objects, the diagonal for
            the standard deviation and the matrix for the covariance.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets), or a pair
            Covariances have the shape (n_samples, n_samples), with one more axis for several
            targets.
        """
        if return_std and return_cov:
            name = type(self).__name__
            raise RuntimeError(f"{name}: At most one of return_std or return_cov can be requested.")
        spread = "cov" if return_cov else "var" if return_std else ""
        if not hasattr(self, "_predictor"):
            before = self._prior()
            there, shaped = before.moments(X, spread), before.shaped
        else:
            objects, shaped = self._new(X), self._predictor.shaped
            there = self._predictor.moments(objects, spread, prior=prior)
        if return_std:
            return shaped(there.mean), shaped(np.sqrt(there.var))
        if return_cov:
            return shaped(there.mean), shaped(there.cov)
        return shaped(there.mean)

    def predict_dist(
        self, X: Any, *, latent: bool = False, joint: bool = False, prior: Any = None
    ) -> Normal | MultivariateNormal:
        """Distribution of new targets, noise included, or of the function alone.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a list of objects
        latent : bool, default=False
            Whether to leave out the noise: the distribution of the function.
        joint : bool, default=False
            Whether to return the joint distribution of all rows, for a single target.
        prior : ndarray, optional
            As in :meth:`predict`.

        Returns
        -------
        margin.distributions.Normal or margin.distributions.MultivariateNormal
            One normal distribution per row (and target), or one of all rows.
        """
        objects = self._new(X)
        return self._predictor.distribution(
            objects, alpha=self.alpha, latent=latent, joint=joint, prior=prior
        )

    def sample_y(self, X: Any, n_samples: int = 1, random_state: Any = 0) -> Floats:
        """Functions drawn from the posterior or, before ``fit``, from the prior.

        Parameters
        ----------
        X : array-like of shape (n_points, n_features), or a list of objects
        n_samples : int, default=1
            Number of functions.
        random_state : int, Generator or None, default=0

        Returns
        -------
        ndarray of shape (n_points, n_samples) or (n_points, n_targets, n_samples)
        """
        rng = randomness.generator(random_state)
        if not hasattr(self, "_predictor"):
            before = self._prior()
            functions, single = before.sample(X, n_samples, rng), before.single
        else:
            functions = self._predictor.sample(self._new(X), n_samples, rng)
            single = self._predictor.single
        return functions[..., 0] if single else functions.transpose(0, 2, 1)

    def loo_predict_dist(self) -> Normal:
        r"""Distribution of each training target given all the others, in closed form.

        With :math:`P = C^{-1}`, less what the coefficients of the mean explain, the mean is
        :math:`y_i - (P y)_i / P_{ii}` and the variance :math:`1 / P_{ii}`, at the hyper-parameters
        found.

        Returns
        -------
        margin.distributions.Normal
        """
        check_is_fitted(self)
        return self._predictor.held_out()

    def loo_log_prob(self) -> Floats:
        """Log density of each training target given all the others, summed over targets."""
        held, predictor = self.loo_predict_dist(), self._predictor
        targets = predictor.units.mean(self.y_train_.reshape(len(self.y_train_), -1))
        value = held.log_prob(predictor.shaped(targets))
        return value if value.ndim == 1 else value.sum(axis=1)

    def _new(self, X: Any) -> Any:
        return new(self, self._fitted().kernel, X)

    def _fitted(self) -> Predictor:
        check_is_fitted(self, "_predictor")
        return self._predictor

    def _prior(self) -> Prior:
        return Prior(type(self).__name__, self.kernel, self.mean, self.n_targets)
