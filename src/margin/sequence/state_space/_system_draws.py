"""Draws of the parameters of a linear dynamical system given data, by way of its states."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import invwishart

from margin.core.types import Floats, Indices
from margin.linalg import cholesky
from margin.native.filters import kalman
from margin.sequence.state_space._expectation import SequenceData
from margin.sequence.state_space._parameters import SystemParameters


@dataclass(frozen=True, eq=False)
class SystemPosterior:
    r"""Conditionals of a linear dynamical system under conjugate priors.

    .. math:: Q \sim \mathrm{IW}(n + 2, I), \quad [A\ b] \mid Q \sim N(0, Q \otimes I / \lambda),
              \quad R_i \sim \mathrm{InvGamma}(1, s_i), \quad [C\ d]_i \sim N(0, R_i I / \lambda)

    Parameters
    ----------
    data : SequenceData
        Without inputs.
    n : int
        Entries of the state.
    strength : float
        :math:`\lambda`.
    """

    data: SequenceData
    n: int
    strength: float

    def pack(self, at: SystemParameters) -> Floats:
        """Parameters as one vector."""
        parts = (at.A, at.b, at.Q, at.C, at.d, np.diagonal(at.R))
        return np.concatenate([p.ravel() for p in parts])

    def unpack(self, x: Floats) -> SystemParameters:
        """Parameters of a vector; the first state is standard normal."""
        n, m = self.n, self.data.Y.shape[1]
        cuts = np.cumsum([n * n, n, n * n, m * n, m])
        A, b, Q, C, d, R = np.split(x, cuts)
        square = Q.reshape(n, n)
        return SystemParameters(
            A.reshape(n, n), np.zeros((n, 0)), b, C.reshape(m, n), np.zeros((m, 0)), d,
            (square + square.T) / 2, np.diag(R), np.zeros(n), np.eye(n),
        )  # fmt: skip

    def draw(self, x: Floats, rng: np.random.Generator) -> Floats:
        """New parameters: states given parameters, then parameters given states."""
        states = self.states(self.unpack(x), rng)
        return self.pack(self.parameters(states, rng))

    def states(self, at: SystemParameters, rng: np.random.Generator) -> Floats:
        """A path of the states given the data, by Durbin and Koopman's simulation smoother.

        A path and its data are drawn together; the smoother of the difference to the true data
        moves the path to where these say.
        """
        path = self._prior_path(at, rng)
        R = np.sqrt(np.diagonal(at.R))
        drawn = path @ at.C.T + at.d + R * rng.normal(size=self.data.Y.shape)
        still = SystemParameters(
            at.A, at.B, np.zeros_like(at.b), at.C, at.D, np.zeros_like(at.d), at.Q, at.R,
            np.zeros_like(at.mean), at.cov,
        )  # fmt: skip
        smoothed = kalman.run_smoother(
            self.data.Y - drawn, self.data.offsets, still.system().arrays(), n_threads=1
        )
        assert smoothed.mean is not None
        return path + smoothed.mean

    def parameters(self, X: Floats, rng: np.random.Generator) -> SystemParameters:
        """Parameters given states, from their conjugate posterior."""
        n, m, Y = self.n, self.data.Y.shape[1], self.data.Y
        later = np.ones(len(X), dtype=bool)
        later[self.data.offsets[:-1]] = False
        now = np.flatnonzero(later)
        Z, target = np.column_stack([X[now - 1], np.ones(len(now))]), X[now]
        factor = cholesky(self.strength * np.eye(n + 1) + Z.T @ Z, name="precision")
        M = factor.solve(Z.T @ target)
        rest = target - Z @ M
        scale = np.eye(n) + rest.T @ rest + self.strength * M.T @ M
        Q = np.atleast_2d(invwishart.rvs(n + 2 + len(now), (scale + scale.T) / 2, random_state=rng))
        white = factor.half_solve(rng.normal(size=(n + 1, n)), transpose=True)
        W = (M + white @ np.array(cholesky(Q, name="noise").lower).T).T
        C, d, R = np.zeros((m, n)), np.zeros(m), np.ones(m)
        full = np.column_stack([X, np.ones(len(X))])
        for i in range(m):
            seen = np.isfinite(Y[:, i])
            z, y = full[seen], Y[seen, i]
            outer = cholesky(self.strength * np.eye(n + 1) + z.T @ z, name="precision")
            w = outer.solve(z.T @ y)
            left = y - z @ w
            spread = 0.01 * float(y.var()) + 1e-12 if len(y) else 1.0
            rate = spread + 0.5 * float(left @ left + self.strength * w @ w)
            R[i] = rate / rng.gamma(1.0 + 0.5 * len(y))
            w = w + np.sqrt(R[i]) * outer.half_solve(rng.normal(size=n + 1), transpose=True)
            C[i], d[i] = w[:n], w[n]
        return SystemParameters(
            W[:, :n], np.zeros((n, 0)), W[:, n], C, np.zeros((m, 0)), d, (Q + Q.T) / 2,
            np.diag(R), np.zeros(n), np.eye(n),
        )  # fmt: skip

    def _prior_path(self, at: SystemParameters, rng: np.random.Generator) -> Floats:
        steps = rng.normal(size=(len(self.data.Y), self.n))
        noise = steps @ np.array(cholesky(at.Q, name="noise").lower).T + at.b
        noise[self.data.offsets[:-1]] = steps[self.data.offsets[:-1]]
        return moved(at.A, noise, self.data.offsets)


def moved(A: Floats, noise: Floats, offsets: Indices) -> Floats:
    r"""The paths :math:`x_t = A x_{t-1} + e_t` of sequences that begin at their first noise.

    By doubling: after the pass of step :math:`s` a row holds the last :math:`2s` terms of
    :math:`\sum_j A^j e_{t-j}`, so that there are as many passes as doublings of the longest.

    Examples
    --------
    >>> moved(np.array([[0.5]]), np.ones((4, 1)), np.array([0, 3, 4])).ravel()
    array([1.  , 1.5 , 1.75, 1.  ])
    """
    lengths = np.diff(offsets)
    place = np.arange(len(noise)) - np.repeat(offsets[:-1], lengths)
    path, power, step = noise.copy(), A, 1
    while step < lengths.max(initial=0):
        later = np.flatnonzero(place >= step)
        path[later] += path[later - step] @ power.T
        power, step = power @ power, 2 * step
    return path
