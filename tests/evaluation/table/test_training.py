"""The training rows with their folds."""

import numpy as np


def test_a_part_is_learned_on_its_training_rows_only(line_training):
    part = line_training.part(np.arange(60), np.arange(60, 90))
    np.testing.assert_allclose(part.Z_train[:, :2].mean(axis=0), 0, atol=1e-12)
    x = line_training.X[["x", "z"]].to_numpy()
    expected = (x[60:] - x[:60].mean(axis=0)) / x[:60].std(axis=0)
    np.testing.assert_allclose(part.Z_test[:, :2], expected)
    np.testing.assert_array_equal(part.y_test, line_training.y[60:])


def test_folds_have_different_seeds_that_repeat(line_training):
    seeds = [line_training.fold_seed(fold) for fold in range(10)]
    assert len(set(seeds)) == 10
    assert seeds == [line_training.fold_seed(fold) for fold in range(10)]
