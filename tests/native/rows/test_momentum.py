"""Epochs with momentum against a NumPy twin (optim.05, optim.06, optim.17)."""

import numpy as np
import pytest
import stochastic_twins as twins
from numpy.testing import assert_allclose

from margin.native.rows import momentum as native
from margin.native.rows import stochastic


def twin(kind, mu, rows, X, order, batch, rate, l2, w, u, q, taken):
    w, u, q = w.copy(), u.copy(), q.copy()
    for k, at in enumerate(range(0, len(order), batch)):
        point = w + mu * u if kind == native.NESTEROV else w
        chosen = order[at : at + batch]
        f = np.zeros_like(w)
        for i in chosen:
            g = twins.weighted_slope(rows, X, i, point)
            f += g * np.append(X[i], 1.0) / len(chosen)
        f[:-1] += l2 * point[:-1]
        if kind == native.AVERAGED:
            u = (1 - mu) * u + mu * f
            w = w - rate[k] * u
        elif kind == native.ADAPTIVE:
            t = taken + k + 1
            u, q = mu * u + (1 - mu) * f, 0.99 * q + 0.01 * f**2
            w = w - rate[k] * (u / (1 - mu**t)) / (np.sqrt(q / (1 - 0.99**t)) + 1e-6)
        else:
            u = mu * u - rate[k] * f
            w = w + u
    return w, u, q


@pytest.mark.parametrize(
    "kind", [native.AVERAGED, native.HEAVY_BALL, native.NESTEROV, native.ADAPTIVE]
)
@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("batch", [1, 9])
def test_epoch_agrees_with_its_twin(kind, storage, dtype, batch):
    """optim.05, optim.06, optim.17: each kind of memory, carried from epoch to epoch."""
    rows, X = twins.sample(stochastic.LOGISTIC, storage=storage, dtype=dtype)
    rng = np.random.default_rng(1)
    order = rng.integers(0, 40, size=50)
    rate = rng.uniform(0.01, 0.1, size=-(-50 // batch))
    state = (rng.normal(size=7), rng.normal(size=7), rng.uniform(size=7))
    w, u, q = (a.copy() for a in state)
    native.momentum_epoch(
        kind, 0.8, rows, order, batch, rate, 0.2, True, w, u, q,
        second_momentum=0.99, epsilon=1e-6, taken=3,
    )  # fmt: skip
    wanted = twin(kind, 0.8, rows, X, order, batch, rate, 0.2, *state, taken=3)
    assert_allclose(w, wanted[0], rtol=1e-9)
    assert_allclose(u, wanted[1], rtol=1e-9, atol=1e-13)
    if kind == native.ADAPTIVE:
        assert_allclose(q, wanted[2], rtol=1e-9)


def test_no_intercept_stays_zero():
    rows, _ = twins.sample(stochastic.LOGISTIC)
    w, u, q = np.zeros(7), np.zeros(7), np.zeros(7)
    native.momentum_epoch(
        native.HEAVY_BALL, 0.5, rows, np.arange(40), 1, np.full(40, 0.1), 0.0, False, w, u, q
    )
    assert w[-1] == 0.0
    assert w[:-1].any()


def test_refuses_what_does_not_fit():
    rows, _ = twins.sample(stochastic.LOGISTIC)
    rate, order = np.full(40, 0.1), np.arange(40)
    with pytest.raises(ValueError, match="unknown kind of memory"):
        native.momentum_epoch(4, 0.5, rows, order, 1, rate, 0.0, True, *np.zeros((3, 7)))
    with pytest.raises(ValueError, match="different shape"):
        native.momentum_epoch(0, 0.5, rows, order, 1, rate, 0.0, True, *np.zeros((3, 6)))
    with pytest.raises(ValueError, match="different shape"):
        native.momentum_epoch(
            0, 0.5, rows, order, 1, rate, 0.0, True, np.zeros(7), np.zeros(6), np.zeros(7)
        )
