"""Areas under curves of weighted rows."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from margin.evaluation.resamples._ranked import area_under_roc, average_precision


@pytest.mark.parametrize("distinct", [2, 5, 10_000])
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(area_under_roc, roc_auc_score), (average_precision, average_precision_score)],
)
def test_any_weights_as_scikit_learn_has_them(ours, theirs, distinct):
    rng = np.random.default_rng(distinct)
    value = rng.integers(distinct, size=80) / distinct
    hit = rng.random(80) < 0.3
    area = ours(hit, value)
    for _ in range(5):
        weight = rng.integers(0, 4, 80).astype(float)
        expected = theirs(hit, value, sample_weight=weight)
        assert area(weight) == pytest.approx(expected, rel=1e-12)


def test_pairs_counted_one_by_one():
    value, hit = np.array([0.2, 0.2, 0.5, 0.1]), np.array([True, False, False, True])
    weight = np.array([2.0, 3.0, 1.0, 1.0])
    won = 2 * 3 * 0.5  # the tie of 0.2 with 0.2; 0.5 is above all, 0.1 below
    assert area_under_roc(hit, value)(weight) == pytest.approx(won / (3 * 4))
