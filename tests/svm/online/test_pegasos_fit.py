"""The search of Pegasos: lower bounds against the objective written out."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from margin.svm.online._pegasos_fit import PegasosSearch, PegasosSettings


def search(storage=np.asarray, n_classes=3, projection=False, shares=None):
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(30, 4)), rng.integers(0, n_classes, size=30)
    shares = np.full(30, 1 / 30) if shares is None else shares
    settings = PegasosSettings(alpha=0.1, projection=projection)
    return PegasosSearch(storage(X), codes, shares, n_classes, settings), X, codes, rng


def brute(X, codes, shares, w, k):
    sign = np.where(codes == k, 1.0, -1.0)
    z = X @ w[:-1] + w[-1]
    return 0.05 * w @ w + shares @ np.maximum(0, 1 - sign * z)


@pytest.mark.parametrize("storage", [np.asarray, csr_array], ids=["dense", "sparse"])
def test_look_keeps_the_best_of_every_machine(storage):
    epochs, X, codes, rng = search(storage)
    tried = [rng.normal(size=(3, 5)) for _ in range(6)]
    for w in tried:
        epochs.look(w)
    for k in range(3):
        values = [brute(X, codes, epochs.shares, w[k], k) for w in tried]
        assert np.isclose(epochs.primal[k], min(values))
        assert np.allclose(epochs.best[k], tried[int(np.argmin(values))][k])


@pytest.mark.parametrize("projection", [False, True], ids=["free", "ball"])
def test_recent_shares_make_the_recent_weights(projection):
    """svm.06: the pair that the bound rests on, also where projections shrink the sums."""
    epochs, X, _, rng = search(projection=projection)
    design = np.column_stack([X, np.ones(30)])
    for _ in range(5):
        epochs.epoch(rng.permutation(30))
    assert np.allclose(epochs.recent_w, (epochs.recent_b * epochs.signs) @ design / 0.1)
    assert (epochs.recent_b >= 0).all()
    assert (epochs.recent_b <= epochs.shares * (1 + 1e-12)).all()


@pytest.mark.parametrize("uneven", [False, True], ids=["even", "uneven"])
def test_bound_is_the_dual_of_allowed_shares(uneven):
    """The bound rises, and equals the dual at some shares that the constraints allow."""
    shares = np.random.default_rng(1).dirichlet(np.ones(30)) if uneven else None
    epochs, X, codes, rng = search(shares=shares)
    before = np.zeros(3)
    for _ in range(8):
        epochs.look(epochs.epoch(rng.permutation(30)))
        epochs.bound()
        assert (epochs.dual >= before - 1e-12).all()
        before = epochs.dual
        design = np.column_stack([X, np.ones(30)])
        assert np.allclose(epochs.low_w, (epochs.low_b * epochs.signs) @ design / 0.1)
        assert (epochs.low_b >= 0).all()
        assert (epochs.low_b <= epochs.shares * (1 + 1e-12)).all()
        dual = epochs.low_b.sum(axis=1) - 0.05 * np.square(epochs.low_w).sum(axis=1)
        assert np.allclose(epochs.dual, dual)
    for k in range(3):
        tries = rng.normal(size=(200, 5))
        assert min(brute(X, codes, epochs.shares, w, k) for w in tries) >= epochs.dual[k]
        assert epochs.primal[k] >= epochs.dual[k]
    assert 0 < epochs.relative < 1


def test_sharper_bounds_end_at_the_minimum():
    """Coordinate ascent and the other solver agree with each other, from below."""
    epochs, X, codes, rng = search()
    epochs.look(epochs.epoch(rng.permutation(30)))
    epochs.bound()
    first = epochs.dual.copy()
    epochs.sharpen(rng.permutation(30), 300)
    sharp = epochs.dual.copy()
    assert (sharp >= first).all()
    assert epochs.relative < 1
    other, *_ = search()
    other.prove()
    assert np.allclose(sharp, other.dual, rtol=1e-4)
    for k in range(3):
        assert brute(X, codes, epochs.shares, epochs.low_w[k], k) >= other.dual[k]


def test_only_small_problems_are_solved_by_another_solver(monkeypatch):
    monkeypatch.setattr("margin.svm.online._pegasos_fit.SMALL", 100)
    epochs, *_ = search()
    epochs.prove()
    assert (epochs.dual == 0).all()
