"""Step E of learning a linear dynamical system: expected second moments."""

from dataclasses import dataclass

import numpy as np

from margin.core import missing, threads
from margin.core.types import Floats, Indices
from margin.inference import Expectation
from margin.linalg import cholesky
from margin.native.filters import kalman
from margin.sequence.state_space._parameters import SystemParameters


@dataclass(frozen=True, eq=False)
class RegressionMoments:
    r"""Expected moments of a regression of ``y`` on ``z``: :math:`\sum zz^\top`, … and the count.

    Parameters
    ----------
    zz, yz, yy : ndarray
    count : float
    """

    zz: Floats
    yz: Floats
    yy: Floats
    count: float


@dataclass(frozen=True, eq=False)
class SystemMoments:
    """What the step M needs: states on states, outputs on states, and the first states.

    Parameters
    ----------
    states, outputs : RegressionMoments
    first_mean, first_cov : ndarray of shape (sequences, n) and (sequences, n, n)
    """

    states: RegressionMoments
    outputs: RegressionMoments
    first_mean: Floats
    first_cov: Floats


@dataclass(frozen=True, eq=False)
class SequenceData:
    """Rows, inputs and offsets of all sequences.

    Parameters
    ----------
    Y : ndarray of shape (rows, m)
    U : ndarray of shape (rows, p)
    offsets : ndarray of int
    n_threads : int
    """

    Y: Floats
    U: Floats
    offsets: Indices
    n_threads: int

    @classmethod
    def of(cls, Y: Floats, U: Floats, offsets: Indices, n_jobs: int | None) -> "SequenceData":
        """Without sequences that have no row."""
        kept = np.concatenate([[True], np.diff(offsets) > 0])
        return cls(Y, U, offsets[kept].astype(np.int64), threads.count(n_jobs))


def expected_moments(
    parameters: SystemParameters, data: SequenceData
) -> Expectation[SystemMoments]:
    """Likelihood and expected moments at these parameters, unobserved numbers included."""
    n, holes = len(parameters.A), bool(np.isnan(data.Y).any())
    smoothed = kalman.run_smoother(
        data.Y,
        data.offsets,
        parameters.system(data.U).arrays(),
        cov=holes,
        sums=True,
        n_threads=data.n_threads,
    )
    assert smoothed.mean is not None
    assert smoothed.sums is not None
    X, sums = smoothed.mean, smoothed.sums.reshape(-1, 4, n, n)
    every, cross, first, last = (sums[:, i].sum(axis=0) for i in range(4))
    starts = data.offsets[:-1]
    later = np.ones(len(X), dtype=bool)
    later[starts] = False
    now = np.flatnonzero(later)
    Z = np.column_stack([X[now - 1], data.U[now], np.ones(len(now))])
    states = RegressionMoments(
        _padded(Z.T @ Z, every - last),
        X[now].T @ Z + _wide(cross, Z.shape[1]),
        X[now].T @ X[now] + every - first,
        float(len(now)),
    )
    outputs = _outputs(parameters, data, X, every if not holes else None, smoothed.cov)
    moments = SystemMoments(states, outputs, X[starts], sums[:, 2])
    return Expectation(float(smoothed.log_prob.sum()), moments)


def _padded(whole: Floats, part: Floats) -> Floats:
    whole[: len(part), : len(part)] += part
    return whole


def _wide(part: Floats, width: int) -> Floats:
    return np.column_stack([part, np.zeros((len(part), width - part.shape[1]))])


def _outputs(
    parameters: SystemParameters,
    data: SequenceData,
    X: Floats,
    every: Floats | None,
    cov: Floats | None,
) -> RegressionMoments:
    """Outputs on states; where numbers are missing, what is expected of them."""
    Y, m, n = data.Y, data.Y.shape[1], X.shape[1]
    Z = np.column_stack([X, data.U, np.ones(len(X))])
    if every is not None:
        return RegressionMoments(_padded(Z.T @ Z, every), Y.T @ Z, Y.T @ Y, float(len(Y)))
    assert cov is not None
    W, R = parameters.output_map, parameters.R
    zz = np.zeros((Z.shape[1], Z.shape[1]))
    yz, yy, count = np.zeros((m, Z.shape[1])), np.zeros((m, m)), 0.0
    for rows, seen in missing.patterns(Y):
        if not len(seen):
            continue  # nothing is said about the map to the outputs
        hidden = np.setdiff1d(np.arange(m), seen)
        some, V = Z[rows], cov[rows].sum(axis=0)
        guess = some @ W.T
        full, H, rest = Y[rows].copy(), np.zeros((m, n)), np.zeros((m, m))
        if len(hidden):
            G = cholesky(R[np.ix_(seen, seen)], name="noise").solve(R[np.ix_(seen, hidden)]).T
            full[:, hidden] = guess[:, hidden] + (full[:, seen] - guess[:, seen]) @ G.T
            H[hidden] = W[hidden, :n] - G @ W[seen, :n]
            part = R[np.ix_(hidden, hidden)] - G @ R[np.ix_(seen, hidden)]
            rest[np.ix_(hidden, hidden)] = len(rows) * part
        zz += _padded(some.T @ some, V)
        yz += full.T @ some + _wide(H @ V, Z.shape[1])
        yy += full.T @ full + H @ V @ H.T + rest
        count += len(rows)
    return RegressionMoments(zz, yz, yy, count)
