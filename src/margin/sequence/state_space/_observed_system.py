"""A linear system whose state is what is seen."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Solution, Status, atomic, check
from margin.core.types import Floats
from margin.distributions import MultivariateNormal, Normal
from margin.inference import LinearSystem, forecast, kalman_log_likelihood, stationary_covariance
from margin.linalg import lstsq
from margin.sequence._laws import normal_law
from margin.sequence._real_sequences import real_sequences


def propagate(A: Any, v: Any, steps: Any) -> Floats:
    r"""State of a deterministic system after some steps, by eigenvalues (sequence.26).

    .. math:: v_t = A^t v_0 = P \Lambda^t P^{-1} v_0

    Parameters
    ----------
    A : array-like of shape (n, n)
    v : array-like of shape (n,)
    steps : int or array-like of int

    Examples
    --------
    >>> turn = [[0.0, -1.0], [1.0, 0.0]]
    >>> propagate(turn, [1.0, 0.0], [1, 2, 1000]).round(6) + 0.0
    array([[ 0.,  1.],
           [-1.,  0.],
           [ 1.,  0.]])
    """
    A, v, t = np.asarray(A, dtype=np.float64), np.asarray(v, dtype=np.float64), np.asarray(steps)
    values, P = np.linalg.eig(A)
    if np.linalg.cond(P) > 1e8:
        # Eigenvectors that fall together: products do what they cannot.
        powers = [np.linalg.matrix_power(A, int(k)) @ v for k in np.atleast_1d(t)]
        return np.array(powers).reshape(*t.shape, len(v))
    parts = np.linalg.solve(P, v.astype(complex))
    return np.asarray(((values ** t[..., None]) * parts @ P.T).real)


class ObservedLinearSystem(BaseEstimator):
    r"""A vector that moves linearly with noise, and is seen (sequence.27).

    .. math:: v_t = A v_{t-1} + b + N(0, \Sigma)

    Least squares is maximum likelihood given the first row. The noiseless system explodes where an
    eigenvalue is larger than 1 in size, and dies out where all are smaller (sequence.26); then the
    law settles at mean :math:`(I - A)^{-1} b` and the covariance :math:`P = A P A^\top + \Sigma`.

    Parameters
    ----------
    fit_intercept : bool
        Whether ``b`` is learned.

    Attributes
    ----------
    transition_ : ndarray of shape (n, n)
    intercept_ : ndarray of shape (n,)
    noise_cov_ : ndarray of shape (n, n)
    eigenvalues_ : ndarray of shape (n,), complex
    stability_ : {"stable", "marginal", "explosive"}
    fit_report_ : FitReport

    Examples
    --------
    >>> import numpy as np
    >>> from margin.sequence import ObservedLinearSystem
    >>> rng = np.random.default_rng(0)
    >>> v = np.zeros(2000)
    >>> for t in range(1, 2000):
    ...     v[t] = 0.9 * v[t - 1] + rng.normal()
    >>> model = ObservedLinearSystem().fit([v])
    >>> model.stability_, model.transition_.round(1)
    ('stable', array([[0.9]]))
    """

    card = Card(tasks=("density",), input="sequences")

    def __init__(self, *, fit_intercept: bool = True) -> None:
        self.fit_intercept = fit_intercept

    @atomic
    def fit(self, X: Any, y: Any = None, *, lengths: Any = None) -> Self:
        """Find the transition.

        Parameters
        ----------
        X : list of arrays of shape (T,) or (T, n), Sequences, or one array
            Observed everywhere; where rows are missing, fit a LinearDynamicalSystem.
        y : Any
            Not used.
        lengths : array-like of int, optional
        """
        check.params(self, flag="fit_intercept")
        given = real_sequences(self, X, lengths, missing=False)
        table, n = given.buffer, given.buffer.shape[1]
        later = np.ones(len(table), dtype=bool)
        later[given.offsets[:-1][given.lengths > 0]] = False
        now = np.flatnonzero(later)
        if len(now) < n + self.fit_intercept:
            need = f"of at least {n + self.fit_intercept} steps"
            raise check.fail(self, "X", need, f"{len(now)}")
        Z = table[now - 1]
        if self.fit_intercept:
            Z = np.column_stack([Z, np.ones(len(Z))])
        W = lstsq(Z, table[now]).T
        rest = table[now] - Z @ W.T
        cov = rest.T @ rest / len(now)
        self.transition_ = W[:, :n].copy()
        self.intercept_ = W[:, -1].copy() if self.fit_intercept else np.zeros(n)
        self.noise_cov_ = (cov + cov.T) / 2
        self.eigenvalues_ = np.linalg.eigvals(self.transition_)
        radius = float(np.abs(self.eigenvalues_).max())
        near = abs(radius - 1.0) < 1e-9
        self.stability_ = "marginal" if near else "stable" if radius < 1 else "explosive"
        self.last_ = table[-1].copy()
        self.n_features_in_ = n
        objective = float(np.sum(rest**2))
        solved = Solution(W, Status.CONVERGED, 1, objective, solver="least squares")
        self.fit_report_ = check.report(self, solved)
        return self

    def stationary(self) -> Normal | MultivariateNormal:
        """The law in the long run; refused unless all eigenvalues are smaller than 1 in size."""
        check_is_fitted(self)
        radius = float(np.abs(np.linalg.eigvals(self.transition_)).max())
        if not radius < 1.0:
            told = f"a spectral radius of {radius:.6g}"
            raise check.fail(self, "stationary", "of a model with eigenvalues below 1", told)
        cov = stationary_covariance(self.transition_, self.noise_cov_)
        rest = np.eye(len(cov)) - self.transition_
        mean = np.asarray(np.linalg.solve(rest, self.intercept_), dtype=np.float64)
        return normal_law(mean[None], cov[None])[0]

    def log_prob(self, X: Any, *, lengths: Any = None) -> Floats:
        """Log-likelihood of every sequence, its first row given a flat law."""
        check_is_fitted(self)
        given = real_sequences(self, X, lengths, width=int(self.n_features_in_))
        return kalman_log_likelihood(self._system(), given)

    def score(self, X: Any, y: Any = None, *, lengths: Any = None) -> float:
        """Log-likelihood per step, of all sequences together."""
        given = real_sequences(self, X, lengths)
        return float(self.log_prob(given).sum()) / len(given.buffer)

    def forecast(self, h: int = 1, X: Any = None) -> Normal | MultivariateNormal:
        """Laws of the next ``h`` rows, after the last training sequence by default."""
        check_is_fitted(self)
        last = self.last_
        if X is not None:
            width = int(self.n_features_in_)
            last = real_sequences(self, X, width=width, missing=False).buffer[-1]
        ahead = forecast(self._system(), last, np.zeros_like(self.noise_cov_), h)
        return normal_law(ahead.mean, ahead.cov)

    def _system(self) -> LinearSystem:
        n = len(self.transition_)
        eye, none = np.eye(n), np.zeros((n, n))
        return LinearSystem(
            self.transition_, eye, self.noise_cov_, none, b=self.intercept_, diffuse=eye
        )
