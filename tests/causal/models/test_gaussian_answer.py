import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal.models._gaussian_answer import GaussianAnswer, conditioned


def test_conditioning_against_the_precision_matrix():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(4, 4))
    cov, mean = A @ A.T, rng.normal(size=4)
    rows = np.array([[1.0, np.nan, 2.0, np.nan], [np.nan] * 4, [0.0, 1.0, 2.0, 3.0]])
    means, covs = conditioned(mean, cov, rows)
    P = np.linalg.inv(cov)
    hidden, seen = [1, 3], [0, 2]
    block = np.linalg.inv(P[np.ix_(hidden, hidden)])
    gap = rows[0, seen] - mean[seen]
    assert_allclose(means[0, hidden], mean[hidden] - block @ P[np.ix_(hidden, seen)] @ gap)
    assert_allclose(covs[0][np.ix_(hidden, hidden)], block)
    assert_allclose(means[1], mean)
    assert_allclose(means[2], rows[2])
    assert_allclose(covs[2], 0, atol=1e-8)


def test_answers_by_name():
    answer = GaussianAnswer(("a", "b"), np.array([[1.0, 2.0]]), np.diag([3.0, 4.0])[None])
    assert answer["b"].mean == 2
    assert answer["b"].var == 4
    assert answer.first().mean.tolist() == [1, 2]
    with pytest.raises(ValueError, match="name must be among"):
        answer["q"]
