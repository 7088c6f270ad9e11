"""The joint normal distribution of all states and numbers of a short sequence, written out."""

import numpy as np


def joint(system, T, unbounded=0.0):
    """Mean and covariance of (x_0, …, x_{T-1}, y_0, …, y_{T-1})."""
    n, m = system.n_states, system.n_outputs
    cov = np.zeros((T * n, T * n))
    mean = np.zeros(T * n)
    start = system.cov + (0 if system.diffuse is None else unbounded * system.diffuse)
    mean[:n], cov[:n, :n] = system.mean, start
    for t in range(1, T):
        now, last = slice(t * n, t * n + n), slice(t * n - n, t * n)
        at = system.at(t)
        mean[now] = at.A @ mean[last] + at.b
        cov[now, : t * n] = at.A @ cov[last, : t * n]
        cov[: t * n, now] = cov[now, : t * n].T
        cov[now, now] = at.A @ cov[last, last] @ at.A.T + at.Q
    C, R, d = np.zeros((T * m, T * n)), np.zeros((T * m, T * m)), np.zeros(T * m)
    for t in range(T):
        at, rows = system.at(t), slice(t * m, t * m + m)
        C[rows, t * n : t * n + n], R[rows, rows], d[rows] = at.C, at.R, at.d
    whole = np.block([[cov, cov @ C.T], [C @ cov, C @ cov @ C.T + R]])
    return np.concatenate([mean, C @ mean + d]), whole


def given(system, Y, unbounded=0.0):
    """Mean and covariance of the states given the numbers that are there, and log p(y)."""
    T, n = len(Y), system.n_states
    mean, cov = joint(system, T, unbounded)
    flat = np.asarray(Y, dtype=float).ravel()
    seen = T * n + np.flatnonzero(~np.isnan(flat))
    hidden = np.arange(T * n)
    S = cov[np.ix_(seen, seen)]
    v = flat[seen - T * n] - mean[seen]
    gain = np.linalg.solve(S, cov[np.ix_(seen, hidden)]).T if len(seen) else np.zeros((T * n, 0))
    log_prob = -0.5 * (v @ np.linalg.solve(S, v) + np.linalg.slogdet(2 * np.pi * S)[1])
    if not len(seen):
        log_prob = 0.0
    return (
        mean[hidden] + gain @ v,
        cov[np.ix_(hidden, hidden)] - gain @ cov[seen][:, hidden],
        (log_prob),
    )
