"""Where the search for a linear dynamical system begins: a subspace of recent rows."""

from collections.abc import Mapping

import numpy as np

from margin.core.types import Floats
from margin.linalg import svd
from margin.sequence.state_space._expectation import SequenceData
from margin.sequence.state_space._parameters import SystemParameters


def starting_parameters(
    data: SequenceData,
    n: int,
    held: Mapping[str, Floats],
    rng: np.random.Generator | None = None,
) -> SystemParameters:
    """Scores of the leading directions of stacked rows as states, maps by regression.

    Parameters
    ----------
    data : SequenceData
    n : int
        Entries of the state.
    held : mapping of str to ndarray
        Parameters that are known.
    rng : numpy.random.Generator, optional
        Turns and shakes the states, for a further start.
    """
    p, m = data.U.shape[1], data.Y.shape[1]
    with np.errstate(invalid="ignore"):
        seen = np.isfinite(data.Y)
        level = np.where(seen, data.Y, 0.0).sum(axis=0) / np.maximum(seen.sum(axis=0), 1)
    Y = np.where(seen, data.Y, level) - level
    lags = -(-n // m)
    stack = [Y]
    for _ in range(lags):
        shifted = np.vstack([np.zeros((1, m)), stack[-1][:-1]])
        shifted[data.offsets[:-1]] = 0.0
        stack.append(shifted)
    X = _states(np.hstack(stack), n, rng)
    later = np.ones(len(Y), dtype=bool)
    later[data.offsets[:-1]] = False
    now = np.flatnonzero(later)
    A = _map(X[now - 1], X[now]) if len(now) > n else 0.5 * np.eye(n)
    radius = float(np.abs(np.linalg.eigvals(A)).max())
    A = A * (0.98 / radius) if radius > 0.98 else A
    C = _map(X, Y)
    Q = _spread(X[now] - X[now - 1] @ A.T, np.eye(n))
    R = np.diag(np.diagonal(_spread(Y - X @ C.T, np.eye(m) * max(float(Y.var()), 1e-6))))
    parts = {
        "A": A, "B": np.zeros((n, p)), "b": np.zeros(n),
        "C": C, "D": np.zeros((m, p)), "d": level,
        "Q": Q, "R": R, "mean": X[data.offsets[:-1]].mean(axis=0), "cov": np.eye(n),
    }  # fmt: skip
    return SystemParameters(**parts | dict(held))


def _states(stack: Floats, n: int, rng: np.random.Generator | None) -> Floats:
    U, s, _ = svd(stack)
    rank = min(n, U.shape[1])
    X = np.zeros((len(stack), n))
    X[:, :rank] = U[:, :rank] * np.sqrt(len(stack))
    X[:, :rank] *= s[:rank] > 1e-12 * max(float(s[0]), 1e-300)
    if rng is not None:
        turn = np.linalg.qr(rng.normal(size=(n, n)))[0]
        X = (X + 0.3 * rng.normal(size=X.shape)) @ turn
    return X


def _map(Z: Floats, Y: Floats) -> Floats:
    return np.asarray(np.linalg.lstsq(Z.T @ Z + 1e-6 * len(Z) * np.eye(Z.shape[1]), Z.T @ Y)[0].T)


def _spread(rest: Floats, otherwise: Floats) -> Floats:
    if not len(rest):
        return otherwise
    S = rest.T @ rest / len(rest)
    return np.asarray(S + (0.01 * np.trace(S) / len(S) + 1e-6) * np.eye(len(S)))
