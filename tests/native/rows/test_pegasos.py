"""Epochs of Pegasos against a NumPy twin, step by step."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.native.rows.pegasos import pegasos_ascent, pegasos_epoch


def sample(n_classes=2, n=40, p=4, seed=0):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, p)), 1)
    X[rng.random(size=X.shape) < 0.3] = 0.0
    return X, rng.integers(0, n_classes, size=n), rng.integers(0, n, size=3 * n)


def twin(X, code, order, v, alpha, offset, constant, projection):
    X = np.column_stack([X, np.full(len(X), constant)])
    v, counts, history = v.copy(), np.zeros((len(v), len(X))), []
    shrunk = np.ones(len(v))
    for t, i in enumerate(order, start=1):
        for k in range(len(v)):
            sign = 1.0 if code[i] == (1 if len(v) == 1 else k) else -1.0
            before = offset + t - 1
            if before == 0 or sign * v[k] @ X[i] / (alpha * before) < 1:
                v[k] += sign * X[i]
                counts[k, i] += 1
            length = np.linalg.norm(v[k]) / (alpha * (offset + t))
            if projection and length > alpha**-0.5:
                factor = alpha**-0.5 / length
                v[k], counts[k], shrunk[k] = v[k] * factor, counts[k] * factor, shrunk[k] * factor
        history.append(v / (alpha * (offset + t)))
    return v, counts, shrunk, np.mean(history, axis=0)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("storage", ["dense", "sparse", "long"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("projection", [True, False])
@pytest.mark.parametrize("offset", [0.0, 25.0])
def test_epoch_agrees_with_its_twin(n_classes, storage, dtype, projection, offset):
    """svm.10: sums, counts, what projections leave, and the mean of the weights."""
    X, code, order = sample(n_classes)
    X = X.astype(dtype)
    start = np.random.default_rng(1).normal(size=(1 if n_classes == 2 else n_classes, 5))
    start *= 20.0 * (offset > 0)
    sums, alpha = start.copy(), 0.5
    stored = X if storage == "dense" else sparse.csr_array(X)
    if storage == "long":
        stored.indptr, stored.indices = (
            a.astype(np.int64) for a in (stored.indptr, stored.indices)
        )
    made = pegasos_epoch(
        stored, code, order, sums,
        alpha=alpha, offset=offset, constant=1.0, projection=projection, average=True,
    )  # fmt: skip
    wanted = twin(X.astype(float), code, order, start, alpha, offset, 1.0, projection)
    assert_allclose(sums, wanted[0], rtol=1e-10, atol=1e-10)
    assert_allclose(made.counts, wanted[1], rtol=1e-10, atol=1e-12)
    assert_allclose(made.shrunk, wanted[2], rtol=1e-10)
    assert_allclose(made.mean, wanted[3], rtol=1e-9, atol=1e-10)
    assert projection == (made.shrunk < 1).any()


def test_long_rows_shrink_by_many_orders():
    """The scale before the sums is folded in before it underflows."""
    X = np.array([[1e6], [1e-3]])
    order, code = np.tile([0, 1], 20), np.array([1, 0])
    sums = np.zeros((1, 2))
    how = {"alpha": 1.0, "offset": 0.0, "constant": 0.0, "projection": True}
    made = pegasos_epoch(X, code, order, sums, average=True, **how)
    wanted = twin(X, code, order, np.zeros((1, 2)), 1.0, 0.0, 0.0, True)
    assert_allclose(sums, wanted[0], rtol=1e-9)
    assert_allclose(made.mean, wanted[3], rtol=1e-9)


def test_no_visits_and_no_rows():
    sums, none = np.ones((1, 3)), np.empty(0, dtype=np.int64)
    how = {"alpha": 1.0, "offset": 0.0, "constant": 1.0, "average": True}
    made = pegasos_epoch(np.zeros((0, 2)), none, none, sums, **how)
    assert made.counts.shape == (1, 0)
    assert_allclose(sums, 1.0)
    assert_allclose(made.mean, 0.0)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"order": np.array([40])}, "row out of range"),
        ({"order": np.array([-1])}, "row out of range"),
        ({"code": np.zeros(39, dtype=np.int64)}, "different shape"),
        ({"sums": np.zeros((1, 4))}, "different shape"),
        ({"alpha": 0.0}, "alpha must be above 0"),
        ({"offset": -1.0}, "offset at least 0"),
    ],
    ids=["above", "below", "codes", "sums", "alpha", "offset"],
)
def test_refuses_what_does_not_fit(change, text):
    X, code, order = sample()
    good = {"X": X, "code": code, "order": order, "sums": np.zeros((1, 5))}
    how = {"alpha": 1.0, "offset": 0.0, "constant": 1.0}
    with pytest.raises(ValueError, match=text):
        pegasos_epoch(**{**good, **how, **change})


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_ascent_is_the_best_step_of_every_share(n_classes, storage, dtype):
    X, code, order = sample(n_classes)
    X[3] = 0.0
    X = X.astype(dtype)
    machines = 1 if n_classes == 2 else n_classes
    cap = np.random.default_rng(1).dirichlet(np.ones(40))
    b, w = np.zeros((machines, 40)), np.zeros((machines, 5))
    stored = X if storage == "dense" else sparse.csr_array(X)
    pegasos_ascent(stored, code, order, cap, b, w, alpha=0.1, constant=1.0)
    design = np.column_stack([X.astype(float), np.ones(40)])
    wanted = np.zeros_like(b)
    own = [[1]] if machines == 1 else np.arange(machines)[:, None]
    sign = np.where(code == own, 1.0, -1.0)
    for i in order:
        weights = (wanted * sign) @ design / 0.1
        slope = 1 - sign[:, i] * (weights @ design[i])
        wanted[:, i] = np.clip(wanted[:, i] + 0.1 * slope / (design[i] @ design[i]), 0, cap[i])
    assert_allclose(b, wanted, rtol=1e-8, atol=1e-12)
    assert_allclose(w, (wanted * sign) @ design / 0.1, rtol=1e-8, atol=1e-10)


def test_ascent_refuses_what_does_not_fit():
    X, code, order = sample()
    b, w = np.zeros((1, 40)), np.zeros((1, 5))
    how = {"alpha": 1.0, "constant": 1.0}
    with pytest.raises(ValueError, match="different shape"):
        pegasos_ascent(X, code, order, np.ones(39), b, w, **how)
    with pytest.raises(ValueError, match="different shape"):
        pegasos_ascent(X, code, order, np.ones(40), b, np.zeros((1, 4)), **how)
    with pytest.raises(ValueError, match="row out of range"):
        pegasos_ascent(X, code, order + 40, np.ones(40), b, w, **how)
