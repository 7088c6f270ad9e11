import numpy as np
import pytest

from margin.decomposition.sources._contrasts import derivative
from margin.decomposition.sources._unmixing import (
    Rules,
    deflation,
    infomax,
    parallel,
    symmetric_decorrelation,
)
from margin.decomposition.sources._whitening import whitened

RNG = np.random.default_rng(0)
S = np.vstack([RNG.laplace(size=4000), RNG.uniform(-1, 1, size=4000), RNG.laplace(size=4000) ** 3])
MIXED = RNG.normal(size=(3, 3)) @ S
Z = whitened(MIXED - MIXED.mean(1, keepdims=True), 3, "svd").rows
START = RNG.normal(size=(3, 3))
RULES = Rules(1e-8, 500)


def matched(W):
    """Correlation of every source with the component that is most like it."""
    C = np.abs(np.corrcoef(np.vstack([S, W @ Z]))[:3, 3:])
    assert sorted(C.argmax(axis=1)) == [0, 1, 2]
    return C.max(axis=1)


@pytest.mark.parametrize("search", [parallel, deflation])
@pytest.mark.parametrize("fun", ["logcosh", "exp"])
def test_sources_are_found(search, fun):
    """decomposition.16: heavy and light tails, all at once and one by one."""
    solution = search(Z, derivative(fun), START, RULES)
    W = solution.x.reshape(3, 3)
    assert matched(W).min() > 0.99
    np.testing.assert_allclose(W @ W.T, np.eye(3), atol=1e-8)


def test_likelihood_rises_to_a_stationary_point():
    """decomposition.16: maximum likelihood finds the sources too."""
    solution = infomax(Z, START, RULES)
    assert solution.status.ok
    assert matched(solution.x).min() > 0.99
    trace = solution.trace["objective"]
    assert np.diff(trace[5:]).max(initial=0.0) <= 1e-12


def test_nearest_rotation():
    W = RNG.normal(size=(4, 4))
    R = symmetric_decorrelation(W)
    np.testing.assert_allclose(R @ R.T, np.eye(4), atol=1e-12)
    for _ in range(10):
        Q = np.linalg.qr(RNG.normal(size=(4, 4)))[0]
        assert np.linalg.norm(W - R) <= np.linalg.norm(W - Q) + 1e-12
