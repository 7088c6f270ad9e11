import numpy as np
import pytest

from margin.core import best_or_reject, confidence

LABELS = np.array(["a", "b", "c"])


def posteriors(n, k):
    return np.random.default_rng(0).dirichlet(np.ones(k), size=n)


def test_confidence_is_the_gap_of_the_two_best():
    """linear.23"""
    share = posteriors(200, 4)
    ordered = np.sort(share, axis=1)
    np.testing.assert_array_equal(confidence(share), ordered[:, -1] - ordered[:, -2])


def test_confidence_in_two_classes():
    """linear.23: |2p - 1|."""
    share = posteriors(100, 2)
    np.testing.assert_allclose(confidence(share), np.abs(2 * share[:, 1] - 1), atol=1e-15)


@pytest.mark.parametrize("threshold", [0.0, 0.5, 0.8, 1.0])
def test_answers_only_where_sure_enough(threshold):
    """linear.24: the rule of least risk when no answer costs 1 - threshold, by enumeration."""
    share = posteriors(300, 3)
    answer = best_or_reject("Model", share, LABELS, threshold, "?")
    for row, said in zip(share, answer, strict=True):
        risks = {label: 1 - p for label, p in zip(LABELS, row, strict=True)}
        risks["?"] = 1 - threshold
        assert risks[said] <= min(risks.values()) + 1e-15
    assert answer.dtype == object


def test_refuses_a_threshold_that_is_no_probability():
    with pytest.raises(ValueError, match="Model: threshold must be a number between 0 and 1, got"):
        best_or_reject("Model", posteriors(2, 3), LABELS, 2, None)
