"""Epochs of stochastic steps against a NumPy twin (optim.03, optim.04, optim.07)."""

import numpy as np
import pytest
import stochastic_twins as twins
from numpy.testing import assert_allclose, assert_array_equal

from margin.native.rows import stochastic as native
from margin.native.rows.stochastic import sgd_epoch


def paid_off(w, total, given):
    """What is left of weights that owe a total, of which each has given some; and all given."""
    after = np.where(w > 0, np.maximum(0, w - (total + given)), np.minimum(0, w + (total - given)))
    return after, given + after - w


def twin(
    rows, X, order, batch, rate, l1, l2, intercept, w, mean=None, mix=None, paid=None, passive=0
):
    w, mean = w.copy(), None if mean is None else mean.copy()
    paid = np.zeros_like(w) if paid is None else paid
    for k, at in enumerate(range(0, len(order), batch)):
        chosen = order[at : at + batch]
        slopes = [rate[k] * twins.weighted_slope(rows, X, i, w) for i in chosen]
        if passive:
            slopes = [aggressive(rows, X, i, w, rate[k], passive) for i in chosen]
        gradient = sum(g * X[i] for g, i in zip(slopes, chosen, strict=True)) / len(chosen)
        keep = max(0.0, 1 - rate[k] * l2)
        w[:-1] = keep * w[:-1] - gradient
        if l1:
            paid *= keep
            paid[-1] += rate[k] * l1
            w[:-1], paid[:-1] = paid_off(w[:-1], paid[-1], paid[:-1])
        if intercept:
            w[-1] -= np.mean(slopes)
        if mean is not None:
            mean += mix[k] * (w - mean)
    return w, mean


def aggressive(rows, X, i, w, limit, kind):
    z = float(X[i] @ w[:-1] + w[-1])
    value, square = twins.value(rows.loss, rows.shape, z, rows.y[i]), float(X[i] @ X[i])
    length = value / (square + 0.5 / limit)
    if kind == 1:
        length = min(limit, value / square) if square else 0.0
    return length * twins.weighted_slope(rows, X, i, w)


def arguments(n, batch=1, seed=1, visits=90):
    rng = np.random.default_rng(seed)
    order = rng.integers(0, n, size=visits)
    steps = -(-visits // batch)
    return order, rng.uniform(0.01, 0.2, size=steps), rng.uniform(0.05, 0.5, size=steps)


@pytest.mark.parametrize("loss", twins.ALL)
@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize("batch", [1, 7, 200])
@pytest.mark.parametrize(("l1", "l2"), [(0.0, 0.0), (0.0, 0.3), (0.05, 0.0), (0.05, 0.3)])
def test_epoch_agrees_with_its_twin(loss, storage, batch, l1, l2):
    """optim.03, optim.04, optim.18: every loss, storage, batch and penalty, with an average."""
    rows, X = twins.sample(loss, storage=storage)
    order, rate, mix = arguments(len(X), batch)
    mix[0] = 1.0
    start = np.random.default_rng(2).normal(size=7)
    w, mean = start.copy(), np.zeros(7)
    sgd_epoch(rows, order, batch, rate, l1, l2, True, w, mean, mix)
    wanted = twin(rows, X, order, batch, rate, l1, l2, True, start, np.zeros(7), mix)
    assert_allclose(w, wanted[0], rtol=1e-9, atol=1e-12)
    assert_allclose(mean, wanted[1], rtol=1e-9, atol=1e-12)
    without = start.copy()
    sgd_epoch(rows, order, batch, rate, l1, l2, True, without)
    assert_allclose(without, wanted[0], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize("l2", [0.0, 0.3])
def test_the_account_of_the_absolute_penalty_goes_on_over_calls(storage, l2):
    rows, X = twins.sample(native.LOGISTIC, storage=storage)
    order, rate, _ = arguments(len(X))
    whole, parts = np.ones(7), np.ones(7)
    account, pieces = np.zeros(7), np.zeros(7)
    sgd_epoch(rows, order, 1, rate, 0.05, l2, True, whole, paid=account)
    for part in (slice(0, 40), slice(40, 90)):
        sgd_epoch(rows, order[part], 1, rate[part], 0.05, l2, True, parts, paid=pieces)
    assert_allclose(parts, whole, rtol=1e-9, atol=1e-12)
    assert_allclose(pieces, account, rtol=1e-9, atol=1e-12)
    assert (np.abs(account[:-1]) <= account[-1] * (1 + 1e-12)).all(), "nobody pays more than is due"


@pytest.mark.parametrize("loss", [native.HINGE, native.INSENSITIVE])
@pytest.mark.parametrize("kind", [1, 2])
@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize(("l1", "l2"), [(0.0, 0.0), (0.02, 0.1)])
def test_passive_aggressive_steps(loss, kind, storage, l1, l2):
    rows, X = twins.sample(loss, storage=storage)
    order, _, mix = arguments(len(X))
    limit = np.full(len(order), 0.3)
    w, mean = np.zeros(7), np.zeros(7)
    sgd_epoch(rows, order, 1, limit, l1, l2, True, w, mean, mix, passive=kind)
    start = np.zeros(7)
    wanted = twin(rows, X, order, 1, limit, l1, l2, True, start, start, mix, passive=kind)
    assert_allclose(w, wanted[0], rtol=1e-9, atol=1e-12)
    assert_allclose(mean, wanted[1], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_types(dtype, index, storage):
    """Single precision data, 64-bit indices, no weights, no intercept."""
    rows, X = twins.sample(native.LOGISTIC, storage=storage, dtype=dtype, index=index, weight=False)
    order, rate, _ = arguments(len(X))
    w = np.zeros(7)
    sgd_epoch(rows, order, 1, rate, 0.0, 0.1, False, w)
    wanted, _ = twin(rows, X, order, 1, rate, 0.0, 0.1, False, np.zeros(7))
    assert w[-1] == 0.0
    assert_allclose(w, wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_shrinking_beyond_zero(storage):
    """Rates above 1 / l2 clear the weights, and tiny scales are absorbed in time."""
    rows, X = twins.sample(native.SQUARED, storage=storage)
    order, rate, mix = arguments(len(X))
    rate[::7], rate[3::7] = 2.0, 1.0
    w, mean = np.ones(7), np.zeros(7)
    sgd_epoch(rows, order, 1, 0.1 * rate, 0.02, 10.0, True, w, mean, mix)
    wanted = twin(rows, X, order, 1, 0.1 * rate, 0.02, 10.0, True, np.ones(7), np.zeros(7), mix)
    assert_allclose(w, wanted[0], rtol=1e-8, atol=1e-12)
    assert_allclose(mean, wanted[1], rtol=1e-8, atol=1e-12)


def test_long_exponential_average_of_sparse_rows_does_not_underflow():
    """optim.07: the weights of old iterates fall below the smallest number many times over."""
    rows, X = twins.sample(native.SQUARED, storage="sparse")
    order = np.random.default_rng(0).integers(0, 40, size=3000)
    rate, mix = np.full(3000, 0.05), np.full(3000, 0.5)
    w, mean = np.zeros(7), np.zeros(7)
    sgd_epoch(rows, order, 1, rate, 0.0, 0.1, True, w, mean, mix)
    wanted = twin(rows, X, order, 1, rate, 0.0, 0.1, True, np.zeros(7), np.zeros(7), mix)
    assert_allclose(mean, wanted[1], rtol=1e-8)


@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_degenerate_shapes(storage):
    """No rows to visit, no columns, one row."""
    rows, _ = twins.sample(native.HINGE, storage=storage)
    w = np.ones(7)
    sgd_epoch(rows, np.empty(0, dtype=np.int64), 1, np.empty(0), 0.1, 0.1, True, w)
    assert_array_equal(w, np.ones(7))
    rows, X = twins.sample(native.SQUARED, n=3, p=0, storage=storage)
    w = np.zeros(1)
    sgd_epoch(rows, np.arange(3), 1, np.full(3, 0.5), 0.0, 0.0, True, w)
    assert_allclose(w, twin(rows, X, np.arange(3), 1, np.full(3, 0.5), 0, 0, True, np.zeros(1))[0])


def test_nan_is_not_hidden():
    rows, X = twins.sample(native.LOGISTIC)
    X[3, 2] = np.nan
    rows = native.Rows(rows.loss, rows.shape, X, rows.y, rows.weight)
    w = np.zeros(7)
    sgd_epoch(rows, np.arange(40), 1, np.full(40, 0.1), 0.0, 0.0, True, w)
    assert np.isnan(w).any()


@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_refuses_what_does_not_fit(storage):
    rows, _ = twins.sample(native.HINGE, storage=storage)
    order, rate, mix = arguments(40)
    good = {
        "rows": rows,
        "order": order,
        "batch": 1,
        "rate": rate,
        "l1": 0.0,
        "l2": 0.0,
        "intercept": True,
        "w": np.zeros(7),
    }
    bad = (
        ({"rate": rate[:-1]}, "different shape"),
        ({"w": np.zeros(0)}, "different shape"),
        ({"mean": np.zeros(6), "mix": mix}, "different shape"),
        ({"mean": np.zeros(7)}, "different shape"),
        ({"order": order + 40}, "row out of range"),
        ({"order": order - 40}, "row out of range"),
        ({"batch": 0}, "batch must be at least 1"),
        ({"paid": np.zeros(6)}, "different shape"),
        ({"passive": 3}, "passive steps are 1 or 2"),
        ({"passive": 1, "batch": 2, "rate": rate[:45]}, "passive steps are 1 or 2, of one row"),
        ({"rows": native.Rows(9, 0.0, rows.X, rows.y, None)}, "unknown loss"),
        ({"rows": native.Rows(2, 0.0, rows.X, rows.y[:-1], None)}, "different shape"),
        ({"rows": native.Rows(2, 0.0, rows.X, rows.y, rows.weight[:-1])}, "different shape"),
    )
    for change, text in bad:
        with pytest.raises(ValueError, match=text):
            sgd_epoch(**{**good, **change})
    for change in ({"w": np.zeros(14)[::2]}, {"w": np.zeros(7, dtype=np.float32)}):
        with pytest.raises(TypeError):
            sgd_epoch(**{**good, **change})


def test_refuses_malformed_rows():
    rows, _ = twins.sample(native.HINGE, storage="sparse")
    broken = rows.X.copy()
    broken.indptr = broken.indptr + 1
    bad = native.Rows(rows.loss, 0.0, broken, rows.y, None)
    with pytest.raises(ValueError, match="malformed rows"):
        sgd_epoch(bad, np.arange(40), 1, np.ones(40), 0.0, 0.0, True, np.zeros(7))
