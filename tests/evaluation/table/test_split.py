"""Train, dev and test rows."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.metrics import zero_one_loss

from margin.evaluation import holdout

Y = np.repeat([0, 1, 2], [60, 30, 10])


@pytest.mark.parametrize("dev_size", [0.0, 0.2])
@pytest.mark.parametrize("stratify", [True, False])
def test_parts_are_disjoint_and_exhaustive(dev_size, stratify):
    """evaluation.01"""
    split = holdout(Y, test_size=0.3, dev_size=dev_size, stratify=stratify, seed=4)
    assert sorted(np.concatenate(split).tolist()) == list(range(100))
    assert [len(part) for part in split] == [70 - int(100 * dev_size), int(100 * dev_size), 30]


def test_stratified_parts_keep_the_shares():
    split = holdout(Y, test_size=0.3, dev_size=0.2, stratify=True)
    for part in split:
        np.testing.assert_allclose(np.bincount(Y[part]) / len(part), [0.6, 0.3, 0.1], atol=0.02)


def test_same_seed_same_split():
    first, second, other = (holdout(Y, seed=seed).test.tolist() for seed in (1, 1, 2))
    assert first == second
    assert first != other


def test_classes_too_small_to_stratify_are_left_to_chance():
    split = holdout(np.arange(20), test_size=0.25, stratify=True)
    assert len(split.test) == 5


def test_errors_of_every_part_for_any_loss():
    """evaluation.01: the majority class errs on exactly the rows of the other classes."""
    split = holdout(Y, test_size=0.3, dev_size=0.2, seed=0)
    X = np.zeros((100, 1))
    model = DummyClassifier().fit(X[split.train], Y[split.train])
    errors = split.errors(model, X, Y, zero_one_loss)
    expected = {name: (Y[part] != 0).mean() for name, part in split._asdict().items()}
    assert errors == pytest.approx(expected)


def test_errors_leave_out_parts_without_rows():
    split = holdout(Y, test_size=0.3)
    model = DummyClassifier().fit(np.zeros((100, 1)), Y)
    assert set(split.errors(model, np.zeros((100, 1)), Y, zero_one_loss)) == {"train", "test"}


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"test_size": 0.0}, "test_size must be a share between 0 and 1, got 0.0"),
        ({"test_size": 1.5}, "test_size must be a share"),
        ({"dev_size": -0.1}, "dev_size must be a share"),
        ({"test_size": 0.6, "dev_size": 0.5}, r"test_size \+ dev_size must be below 1"),
    ],
)
def test_shares_that_make_no_split(sizes, message):
    with pytest.raises(ValueError, match=message):
        holdout(Y, **sizes)
