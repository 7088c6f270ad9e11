"""Means with a known variance."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import Drawn, Hard
from margin.mixture import known_variance_means

X = np.array([0.0, 1.0, 4.0, 5.0])


def test_one_step_of_the_worked_example():
    """mixture.04."""
    solution = known_variance_means(X, [1.0, 4.0], max_iter=1, tol=0)
    assert_allclose(solution.x, [0.51786236, 4.48213764], atol=5e-9)
    assert solution.extras["smallest_step"] > 0


def test_small_variances_and_hard_assignment_are_k_means():
    """mixture.04, mixture.05."""
    for options in ({"variance": 1e-4}, {"assignment": Hard()}):
        solution = known_variance_means(X, [0.2, 2.6], **options)
        assert_allclose(solution.x, [0.5, 4.5])


def test_gaps_and_weights():
    """mixture.04: NaN is left out, a weight of two is the number twice."""
    plain = known_variance_means(np.append(X, 5.0), [1.0, 4.0])
    weighed = known_variance_means(np.append(X, np.nan), [1.0, 4.0], sample_weight=[1, 1, 1, 2, 7])
    assert_allclose(plain.x, weighed.x)


def test_draws_may_lower_the_bound():
    rule = Drawn(np.random.default_rng(0))
    assert known_variance_means(X, [1.0, 4.0], assignment=rule, max_iter=20).n_iter > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variance": 0.0}, "variance must be a number above 0"),
        ({"x": [[1.0]]}, "x and means must be one-dimensional"),
        ({"x": [np.nan]}, "x must be finite, with at least one observed number"),
    ],
)
def test_bad_input_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        known_variance_means(**{"x": X, "means": [0.0, 1.0], **options})
