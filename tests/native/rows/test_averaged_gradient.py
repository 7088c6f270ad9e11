"""Epochs of SAG and SAGA against a NumPy twin (optim.08)."""

import numpy as np
import pytest
import stochastic_twins as twins
from numpy.testing import assert_allclose

from margin.native.rows import stochastic
from margin.native.rows.averaged_gradient import saga_epoch


def twin(rows, X, order, m, rate, l1, l2, w, slopes, gradient, unbiased):
    w, slopes, gradient = w.copy(), slopes.copy(), gradient.copy()
    for i in order:
        x = np.append(X[i], 1.0)
        fresh = twins.weighted_slope(rows, X, i, w)
        change = fresh - slopes[i]
        slopes[i] = fresh
        step = change * x + gradient if unbiased else change * x / m + gradient
        gradient = gradient + change * x / m
        w[:-1] = twins.soft((1 - rate * l2) * w[:-1] - rate * step[:-1], rate * l1)
        w[-1] -= rate * step[-1]
    return w, slopes, gradient


@pytest.mark.parametrize("unbiased", [True, False])
@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize(
    ("l1", "l2"), [(0.0, 0.0), (0.0, 0.2), (0.02, 0.0), (0.05, 0.2), (0.5, 0.01)]
)
@pytest.mark.parametrize("loss", [stochastic.SQUARED, stochastic.LOGISTIC, stochastic.HUBER])
def test_epoch_agrees_with_its_twin(unbiased, storage, l1, l2, loss):
    """optim.08: lagged steps of sparse rows are those of dense ones, through sign changes."""
    rows, X = twins.sample(loss, n=50, p=12, storage=storage)
    rng = np.random.default_rng(3)
    state = (rng.normal(size=13), np.zeros(50), np.zeros(13))
    w, slopes, gradient = (a.copy() for a in state)
    for epoch in range(3):
        order = np.random.default_rng(epoch).permutation(50)
        wanted = twin(rows, X, order, 50, 0.05, l1, l2, w, slopes, gradient, unbiased)
        saga_epoch(rows, order, 50, 0.05, l1, l2, True, w, slopes, gradient, unbiased=unbiased)
        assert_allclose(w, wanted[0], rtol=1e-9, atol=1e-12)
        assert_allclose(slopes, wanted[1], rtol=1e-9, atol=1e-12)
        assert_allclose(gradient, wanted[2], rtol=1e-9, atol=1e-12)
        assert_allclose((X.T @ slopes) / 50, gradient[:-1], rtol=1e-9, atol=1e-12)


def test_drift_through_zero_is_followed_step_by_step():
    """A coordinate that rows miss drifts to zero, is held there, or crosses to the other side."""
    X = np.zeros((30, 4))
    X[0] = [1.0, 1.0, 1.0, 1.0]
    X[1:, 0] = 1.0
    rows, _ = twins.sample(stochastic.SQUARED, n=30, p=4, weight=False)
    rows = stochastic.Rows(rows.loss, 0.0, X, rows.y, None)
    import scipy.sparse

    thin = stochastic.Rows(rows.loss, 0.0, scipy.sparse.csr_array(X), rows.y, None)
    order = np.append(np.arange(1, 30), 0)
    for drift in ([0.0, 0.3, 0.04, -0.9], [0.0, -0.3, 0.05, 0.051]):
        for start in ([0.1, 0.2, 0.2, -0.2], [0.0, 0.0, 0.0, 0.0], [0.1, 1e-3, -1e-3, 1e-9]):
            state = np.append(start, 0.0), np.zeros(30), np.append(drift, 0.0)
            one, two = [a.copy() for a in state], [a.copy() for a in state]
            saga_epoch(rows, order, 30, 0.1, 0.05, 0.3, True, *one)
            saga_epoch(thin, order, 30, 0.1, 0.05, 0.3, True, *two)
            wanted = twin(rows, X, order, 30, 0.1, 0.05, 0.3, *state, unbiased=True)
            assert_allclose(one[0], wanted[0], rtol=1e-10, atol=1e-13)
            assert_allclose(two[0], wanted[0], rtol=1e-10, atol=1e-13)


def test_strong_shrinkage_is_absorbed_in_time():
    """Scales below the smallest number are folded back; also rates beyond 1 / l2."""
    rows, X = twins.sample(stochastic.LOGISTIC, n=50, p=5, storage="sparse")
    for rate in (0.05, 0.15):
        state = (np.ones(6), np.zeros(50), np.zeros(6))
        w, slopes, gradient = (a.copy() for a in state)
        order = np.tile(np.arange(50), 5)
        wanted = twin(rows, X, order, 50, rate, 0.01, 10.0, *state, unbiased=True)
        saga_epoch(rows, order, 50, rate, 0.01, 10.0, True, w, slopes, gradient)
        assert_allclose(w, wanted[0], rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_types_and_no_rows(storage):
    rows, X = twins.sample(stochastic.LOGISTIC, storage=storage, dtype=np.float32, index=np.int64)
    state = (np.zeros(7), np.zeros(40), np.zeros(7))
    w, slopes, gradient = (a.copy() for a in state)
    saga_epoch(rows, np.empty(0, dtype=np.int64), 40, 0.1, 0.0, 0.0, True, w, slopes, gradient)
    assert not w.any()
    saga_epoch(rows, np.arange(40), 40, 0.1, 0.0, 0.1, True, w, slopes, gradient)
    wanted = twin(rows, X, np.arange(40), 40, 0.1, 0.0, 0.1, *state, unbiased=True)
    assert_allclose(w, wanted[0], rtol=1e-9)


@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_refuses_what_does_not_fit(storage):
    rows, _ = twins.sample(stochastic.LOGISTIC, storage=storage)
    order = np.arange(40)
    for w, slopes, gradient in (
        (np.zeros(7), np.zeros(39), np.zeros(7)),
        (np.zeros(7), np.zeros(40), np.zeros(6)),
        (np.zeros(0), np.zeros(40), np.zeros(0)),
    ):
        with pytest.raises(ValueError, match="different shape"):
            saga_epoch(rows, order, 40, 0.1, 0.0, 0.0, True, w, slopes, gradient)
    with pytest.raises(ValueError, match="different shape"):
        saga_epoch(rows, order, 0, 0.1, 0.0, 0.0, True, np.zeros(7), np.zeros(40), np.zeros(7))
