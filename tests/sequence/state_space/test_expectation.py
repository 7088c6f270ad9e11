"""Expected moments against the joint law of states and unobserved numbers."""

import numpy as np

from margin.inference import LinearSystem
from margin.sequence.state_space._expectation import SequenceData, expected_moments
from margin.sequence.state_space._parameters import SystemParameters


def dense(at, Y):
    """Mean and covariance of all states and outputs given the numbers that are there."""
    (T, _), n = Y.shape, len(at.A)
    system: LinearSystem = at.system()
    size = T * n
    cov, mean = np.zeros((size, size)), np.zeros(size)
    mean[:n], cov[:n, :n] = at.mean, at.cov
    for t in range(1, T):
        now, last = slice(t * n, t * n + n), slice(t * n - n, t * n)
        mean[now] = at.A @ mean[last] + at.b
        cov[now, : t * n] = at.A @ cov[last, : t * n]
        cov[: t * n, now] = cov[now, : t * n].T
        cov[now, now] = at.A @ cov[last, last] @ at.A.T + at.Q
    C = np.kron(np.eye(T), system.C)
    whole = np.block([[cov, cov @ C.T], [C @ cov, C @ cov @ C.T + np.kron(np.eye(T), at.R)]])
    level = np.concatenate([mean, C @ mean + np.tile(at.d, T)])
    seen = size + np.flatnonzero(~np.isnan(Y.ravel()))
    gain = np.linalg.solve(whole[np.ix_(seen, seen)], whole[seen]).T
    return level + gain @ (Y.ravel()[seen - size] - level[seen]), whole - gain @ whole[seen]


def test_against_the_joint_law():
    rng = np.random.default_rng(0)
    n, m, T = 2, 3, 5
    root = rng.normal(size=(m, m))
    at = SystemParameters(
        A=rng.normal(size=(n, n)) / 2, B=np.zeros((n, 0)), b=rng.normal(size=n),
        C=rng.normal(size=(m, n)), D=np.zeros((m, 0)), d=rng.normal(size=m),
        Q=np.diag([0.5, 1.0]), R=root @ root.T + np.eye(m), mean=rng.normal(size=n),
        cov=np.eye(n),
    )  # fmt: skip
    Y = rng.normal(size=(T, m))
    Y[1] = np.nan
    Y[2, 0] = Y[3, 1:] = np.nan
    data = SequenceData.of(Y, np.zeros((T, 0)), np.array([0, 0, T]), 1)
    _, moments = expected_moments(at, data)
    mean, cov = dense(at, Y)
    second = cov + np.outer(mean, mean)

    def both(rows, columns):
        return sum(second[np.ix_(r, c)] for r, c in zip(rows, columns, strict=True))

    states = [np.arange(t * n, t * n + n) for t in range(T)]
    outs = [T * n + np.arange(t * m, t * m + m) for t in range(T)]
    told = [t for t in range(T) if t != 1]  # a row without numbers says nothing of the outputs
    np.testing.assert_allclose(moments.states.zz[:n, :n], both(states[:-1], states[:-1]))
    np.testing.assert_allclose(moments.states.yz[:, :n], both(states[1:], states[:-1]))
    np.testing.assert_allclose(moments.states.yy, both(states[1:], states[1:]))
    xs, ys = [states[t] for t in told], [outs[t] for t in told]
    np.testing.assert_allclose(moments.outputs.zz[:n, :n], both(xs, xs))
    np.testing.assert_allclose(moments.outputs.yz[:, :n], both(ys, xs), atol=1e-12)
    np.testing.assert_allclose(moments.outputs.yy, both(ys, ys), atol=1e-12)
    assert (moments.states.count, moments.outputs.count) == (4.0, 4.0)
