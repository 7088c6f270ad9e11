"""What every rule of a round is told and asks."""

import numpy as np
from numpy.testing import assert_allclose

from margin.core import Iterate
from margin.ensemble.adaboost._round import Rows, normalised, refuse_guessing, with_mean_weight


def test_weights_sum_to_one():
    assert_allclose(normalised(np.array([1.0, 3.0])), [0.25, 0.75])


def test_the_refusal_names_owner_and_error():
    rows = Rows(np.zeros(2, int), 2, np.ones(2), "AdaBoostClassifier")
    assert str(refuse_guessing(rows, 0.75)) == (
        "AdaBoostClassifier: estimator must be better than guessing on the rows as they are "
        "weighted (it is worse than random), got 'an error of 0.75'"
    )


def test_weights_are_averaged_over_the_rounds():
    weights = [np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.array([0.5, 0.5])]
    states = [Iterate((), 0.0, extras={"weight": w}) for w in weights]
    means = [state.extras["weight"] for state in with_mean_weight(iter(states))]
    assert_allclose(means, [[1.0, 0.0], [0.5, 0.5], [0.5, 0.5]])
