import numpy as np
import pytest

from margin.linear.online._holdout import Part, check_some_weight, holdout

X = np.arange(60.0)[:, None]
y = np.repeat([0, 1, 2], [40, 18, 2])


def parts(share, weight=None, *, seed=0, stratify=True):
    rows = Part(X, y, weight)
    return holdout("Model", rows, share=share, random_state=seed, stratify=stratify)


def test_every_row_is_on_one_side_with_its_own_target_and_weight():
    weight = np.arange(1.0, 61.0)
    train, kept = parts(0.2, weight, stratify=False)
    assert len(kept.X) == 12
    rows = np.concatenate([train.X, kept.X])[:, 0].astype(int)
    assert sorted(rows) == list(range(60))
    np.testing.assert_array_equal(np.concatenate([train.y, kept.y]), y[rows])
    np.testing.assert_array_equal(np.concatenate([train.weight, kept.weight]), weight[rows])


def test_stratified_shares_keep_a_row_of_every_class():
    train, kept = parts(0.5)
    assert np.bincount(kept.y).tolist() == [20, 9, 1]
    assert np.bincount(train.y).tolist() == [20, 9, 1]
    assert train.weight is None
    assert kept.weight is None


def test_same_seed_same_rows():
    one, two, other = (parts(0.3, seed=seed)[0].X for seed in (4, 4, 5))
    np.testing.assert_array_equal(one, two)
    assert not np.array_equal(one, other)
    generators = (np.random.default_rng(4) for _ in range(2))
    one, two = (parts(0.3, seed=seed)[0].X for seed in generators)
    np.testing.assert_array_equal(one, two)


def test_nothing_to_watch_or_to_train_on_is_refused():
    for share in (0.001, 0.99):
        with pytest.raises(ValueError, match="validation_fraction must be such that 60 rows leave"):
            parts(share)
    with pytest.raises(ValueError, match="sample_weight must be above 0 for some rows set aside"):
        parts(0.1, np.zeros(60))
    with pytest.raises(ValueError, match="sample_weight must be above 0 for some rows set aside"):
        check_some_weight("Model", np.zeros(3))
    check_some_weight("Model", None)
