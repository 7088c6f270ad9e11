from types import SimpleNamespace

import numpy as np
import pytest

from margin.linear.online._holdout import holdout


def settings(share, seed=0):
    return SimpleNamespace(random_state=seed, validation_fraction=share)


X = np.arange(60.0)[:, None]
y = np.repeat([0, 1, 2], [40, 18, 2])


def test_every_row_is_on_one_side_with_its_own_target_and_weight():
    weight = np.arange(1.0, 61.0)
    train, target, share, (kept, kept_target, kept_share) = holdout(
        settings(0.2), X, y, weight, stratify=False
    )
    assert len(kept) == 12
    rows = np.concatenate([train, kept])[:, 0].astype(int)
    assert sorted(rows) == list(range(60))
    np.testing.assert_array_equal(np.concatenate([target, kept_target]), y[rows])
    np.testing.assert_array_equal(np.concatenate([share, kept_share]), weight[rows])


def test_stratified_shares_keep_a_row_of_every_class():
    _, target, share, (_, kept, kept_share) = holdout(settings(0.5), X, y, None, stratify=True)
    assert np.bincount(kept).tolist() == [20, 9, 1]
    assert np.bincount(target).tolist() == [20, 9, 1]
    assert share is None
    assert kept_share is None
    _, target, _, _ = holdout(settings(0.99), X, y, None, stratify=True)
    assert np.bincount(target).tolist() == [1, 1, 1]


def test_same_seed_same_rows():
    one, two, other = (
        holdout(settings(0.3, seed), X, y, None, stratify=True)[0] for seed in (4, 4, 5)
    )
    np.testing.assert_array_equal(one, two)
    assert not np.array_equal(one, other)


def test_nothing_to_watch_is_refused():
    with pytest.raises(ValueError, match="validation_fraction must be large enough to hold a row"):
        holdout(settings(0.001), X, y, None, stratify=True)
    with pytest.raises(ValueError, match="sample_weight must be above 0 for some rows set aside"):
        holdout(settings(0.1), X, y, np.zeros(60), stratify=True)
