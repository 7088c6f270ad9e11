"""Structured variational inference of a switching linear dynamical system."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from margin.core import FitError, Iterate, Sequences, Status, Stop, iterate
from margin.core.types import Bools, Floats, Indices
from margin.inference import Expectation, LinearSystem, chain_smooth, kalman_smoother
from margin.linalg import cholesky

_LEAST = float(np.finfo(np.float64).tiny)
_LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True, eq=False)
class SwitchingParameters:
    r"""Dynamics for each regime, outputs shared, and the chain.

    Parameters
    ----------
    A, b, Q : ndarray of shape (k, n, n), (k, n) and (k, n, n)
    C, d, R : ndarray of shape (m, n), (m,) and (m,)
        ``R`` are variances.
    start, transition : ndarray of shape (k,) and (k, k)
    share : ndarray of shape (rows, k)
        Probabilities of the regimes that the states were found with.
    """

    A: Floats
    b: Floats
    Q: Floats
    C: Floats
    d: Floats
    R: Floats
    start: Floats
    transition: Floats
    share: Floats


@dataclass(frozen=True, eq=False)
class SwitchingMoments:
    """Posterior of states and regimes.

    Parameters
    ----------
    mean, cov, cross : ndarray of shape (rows, n), (rows, n, n) and (rows, n, n)
    share : ndarray of shape (rows, k)
    counts : ndarray of shape (k, k)
    """

    mean: Floats
    cov: Floats
    cross: Floats
    share: Floats
    counts: Floats


@dataclass(frozen=True, eq=False)
class SwitchingData:
    """Rows of all sequences.

    Parameters
    ----------
    Y : ndarray of shape (rows, m)
    offsets : ndarray of int
        Of sequences that have rows.
    """

    Y: Floats
    offsets: Indices

    @property
    def later(self) -> Bools:
        """Whether a row has one before it."""
        mark = np.ones(len(self.Y), dtype=bool)
        mark[self.offsets[:-1]] = False
        return mark

    def expect(self, at: SwitchingParameters) -> Expectation[SwitchingMoments]:
        r"""One round of both factors of :math:`q(x)\,q(s)`, and the bound of the likelihood.

        The states see the average of the regimes' forces: a Gaussian chain with transitions that
        change with time, and with pulls on each state that are numbers seen as zero.
        """
        n = at.A.shape[1]
        smoothed = kalman_smoother(self._averaged(at), self._pulled(n), cross=True)
        assert smoothed.cross is not None
        table = self._force(at, smoothed.mean, smoothed.cov, smoothed.cross)
        chain = chain_smooth(table, self.offsets, at.start, at.transition)
        bound = float(chain.log_likelihood.sum()) + self._rest(at, smoothed.mean, smoothed.cov)
        bound += self._entropy(smoothed.cov, smoothed.cross)
        moments = SwitchingMoments(
            smoothed.mean, smoothed.cov, smoothed.cross, chain.posterior, chain.counts
        )
        return Expectation(bound, moments)

    def maximise(self, moments: SwitchingMoments, at: SwitchingParameters) -> SwitchingParameters:
        """Regressions of states for every regime, of outputs, and the chain by counting."""
        A, b, Q = at.A.copy(), at.b.copy(), at.Q.copy()
        now = np.flatnonzero(self.later)
        x, n = moments.mean, moments.mean.shape[1]
        Z = np.column_stack([x[now - 1], np.ones(len(now))])
        for s in range(len(A)):
            w = moments.share[now, s]
            if w.sum() < n + 1:
                continue  # a regime that next to nothing belongs to stays as it is
            zz, yz = (Z * w[:, None]).T @ Z, (x[now] * w[:, None]).T @ Z
            zz[:n, :n] += np.tensordot(w, moments.cov[now - 1], 1)
            yz[:, :n] += np.tensordot(w, moments.cross[now], 1)
            yy = (x[now] * w[:, None]).T @ x[now] + np.tensordot(w, moments.cov[now], 1)
            W = cholesky(zz, name="moments").solve(yz.T).T
            rest = yy - W @ yz.T - yz @ W.T + W @ zz @ W.T
            A[s], b[s], Q[s] = W[:, :n], W[:, n], _definite(rest / w.sum())
        C, d, R = self._outputs(moments, at)
        total = moments.counts.sum(axis=1, keepdims=True)
        move = np.where(total > 0, moments.counts / np.where(total > 0, total, 1), at.transition)
        start = moments.share[self.offsets[:-1]].mean(axis=0)
        move = move / move.sum(axis=1, keepdims=True)
        return SwitchingParameters(A, b, Q, C, d, R, start / start.sum(), move, moments.share)

    def infer(self, at: SwitchingParameters, rounds: int) -> tuple[float, SwitchingMoments]:
        """The bound and the posterior after some rounds at fixed parameters."""
        rules = Stop("relative change of the bound", 1e-10, rounds, unit="round", keep="last")
        solution = iterate(self._rounds(at), rules, solver="structured variational inference")
        if solution.interrupted:
            raise KeyboardInterrupt
        if solution.status is Status.FAILED:
            raise FitError(solution.message)
        return -solution.objective, solution.x

    def _rounds(self, at: SwitchingParameters) -> Iterator[Iterate]:
        """Posteriors, each from the regimes of the one before."""
        bound, moments = self.expect(at)
        yield Iterate(moments, -bound, None, 1)
        for n_rounds in count(2):
            before = bound
            bound, moments = self.expect(replace(at, share=moments.share))
            change = abs(bound - before)
            yield Iterate(moments, -bound, change / max(abs(bound), _LEAST), n_rounds)

    def _pulled(self, n: int) -> Sequences:
        zeros = np.zeros((len(self.Y), n + 1))
        return Sequences(np.hstack([self.Y, zeros]), np.diff(self.offsets))

    def _averaged(self, at: SwitchingParameters) -> LinearSystem:
        """The system that the states move in while regimes are known as ``share``."""
        rows, m, n = len(self.Y), self.Y.shape[1], at.A.shape[1]
        precision = np.array([cholesky(Q, name="noise").solve(np.eye(n)) for Q in at.Q])
        # [A b] and its products with the precision, so that the bias comes along.
        W = np.concatenate([at.A, at.b[:, :, None]], axis=2)
        PW = precision @ W
        WPW = np.swapaxes(W, 1, 2) @ PW
        mixed = np.einsum("ts,sij->tij", at.share, precision)
        Q = np.linalg.inv((mixed + np.swapaxes(mixed, 1, 2)) / 2)
        Q = (Q + np.swapaxes(Q, 1, 2)) / 2
        mean = Q @ np.einsum("ts,sij->tij", at.share, PW)
        left = np.einsum("ts,sij->tij", at.share, WPW) - np.swapaxes(mean, 1, 2) @ mixed @ mean
        values, vectors = np.linalg.eigh((left + np.swapaxes(left, 1, 2)) / 2)
        root = np.swapaxes(vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :], 1, 2)
        pull = np.zeros((rows, n + 1, n + 1))
        into = np.flatnonzero(self.later)
        pull[into - 1] = root[into]  # a regime pulls at the state that it starts from
        C = np.concatenate([np.broadcast_to(at.C, (rows, m, n)), pull[:, :, :n]], axis=1)
        d = np.hstack([np.tile(at.d, (rows, 1)), pull[:, :, n]])
        R = np.diag(np.concatenate([at.R, np.ones(n + 1)]))
        start = np.zeros(n), np.eye(n)
        return LinearSystem(mean[:, :, :n], C, Q, R, *start, b=mean[:, :, n], d=d)

    def _force(self, at: SwitchingParameters, x: Floats, V: Floats, X: Floats) -> Floats:
        """Expected log density of every step under each regime, 0 for first rows."""
        n, k = x.shape[1], len(at.A)
        table, now = np.zeros((len(x), k)), np.flatnonzero(self.later)
        for s in range(k):
            A, factor = at.A[s], cholesky(at.Q[s], name="noise")
            gap = x[now] - x[now - 1] @ A.T - at.b[s]
            turn = X[now] @ A.T
            S = V[now] - turn - np.swapaxes(turn, 1, 2) + A @ V[now - 1] @ A.T
            S = S + gap[:, :, None] * gap[:, None, :]
            P = factor.solve(np.eye(n))
            table[now, s] = -0.5 * (np.einsum("ij,tij->t", P, S) + factor.log_det + n * _LOG_2PI)
        return table

    def _rest(self, at: SwitchingParameters, x: Floats, V: Floats) -> float:
        """Expected log density of the first states and of what is seen."""
        first = self.offsets[:-1]
        n = x.shape[1]
        square = float(np.sum(x[first] ** 2)) + float(np.einsum("tii->", V[first]))
        total: float = -0.5 * (square + len(first) * n * _LOG_2PI)
        gap = (self.Y - x @ at.C.T - at.d) ** 2 + np.einsum("mi,tij,mj->tm", at.C, V, at.C)
        seen = -0.5 * (gap / at.R + np.log(at.R) + _LOG_2PI)
        return total + float(np.nansum(seen))

    def _entropy(self, V: Floats, X: Floats) -> float:
        now, n = np.flatnonzero(self.later), V.shape[1]
        alone = V[now] - X[now] @ np.linalg.solve(V[now - 1], np.swapaxes(X[now], 1, 2))
        logs = np.linalg.slogdet(alone)[1].sum()
        logs += np.linalg.slogdet(V[self.offsets[:-1]])[1].sum()
        total: float = 0.5 * (float(logs) + len(V) * n * (1.0 + _LOG_2PI))
        return total

    def _outputs(
        self, moments: SwitchingMoments, at: SwitchingParameters
    ) -> tuple[Floats, Floats, Floats]:
        C, d, R = at.C.copy(), at.d.copy(), at.R.copy()
        n = moments.mean.shape[1]
        Z = np.column_stack([moments.mean, np.ones(len(moments.mean))])
        for i in range(len(C)):
            seen = np.isfinite(self.Y[:, i])
            if not seen.any():
                continue
            z, y = Z[seen], self.Y[seen, i]
            zz = z.T @ z
            zz[:n, :n] += moments.cov[seen].sum(axis=0)
            w = cholesky(zz, name="moments").solve(z.T @ y)
            rest = float(y @ y - 2 * w @ (z.T @ y) + w @ zz @ w) / len(y)
            C[i], d[i] = w[:n], w[n]
            R[i] = max(rest, 1e-6 * float(y.var()) + 1e-12)
        return C, d, R


def _definite(S: Floats) -> Floats:
    values, vectors = np.linalg.eigh((S + S.T) / 2)
    values = np.maximum(values, 1e-8 * max(float(values[-1]), 1e-8))
    definite = (vectors * values) @ vectors.T
    return np.asarray((definite + definite.T) / 2)
