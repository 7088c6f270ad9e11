import numpy as np
import pytest

from margin.multiclass import exhaustive_code, hamming_distances, loss_distances, one_vs_one_code
from margin.multiclass._decoding import LOSSES, break_ties, disagreements, votes


def random_case(seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(20, 6)), rng.choice([-1, 0, 1], size=(4, 6))


def test_hamming_distance_counts_a_zero_as_one_half():
    """linear.56"""
    scores, code = random_case()
    distance = hamming_distances(scores, code)
    for i, row in enumerate(scores):
        for k, word in enumerate(code):
            pairs = zip(row, word, strict=True)
            expected = sum(0.5 if m == 0 else float((s > 0) != (m > 0)) for s, m in pairs)
            assert distance[i, k] == expected
    np.testing.assert_array_equal(
        disagreements(scores, code), distance - 0.5 * (code == 0).sum(axis=1)
    )


@pytest.mark.parametrize("loss", LOSSES)
def test_loss_distance_sums_the_loss_of_every_margin(loss):
    """linear.56"""
    scores, code = random_case(1)
    distance = loss_distances(scores, code, loss)
    expected = [[LOSSES[loss](word * row).sum() for word in code] for row in scores]
    np.testing.assert_allclose(distance, expected)


def test_logistic_loss_of_log_odds_is_the_log_probability_of_the_code_word():
    """linear.56: exp(-d) is the product of the probabilities of the signs."""
    scores, _ = random_case(2)
    code = np.random.default_rng(3).choice([-1, 1], size=(4, 6))
    share = 1 / (1 + np.exp(-scores))
    product = [[np.prod(np.where(word > 0, p, 1 - p)) for word in code] for p in share]
    np.testing.assert_allclose(np.exp(-loss_distances(scores, code, "logistic")), product)


def test_losses_stay_finite():
    for loss in LOSSES:
        assert np.isfinite(loss_distances([[1e30, -1e30]], [[1, 1], [-1, 0]], loss)).all()
    with pytest.raises(ValueError, match=r"^loss_distances: loss must be one of"):
        loss_distances([[1.0]], [[1], [-1]], "zero-one")


@pytest.mark.parametrize("code", [exhaustive_code(4), one_vs_one_code(4)])
def test_faultless_answers_decode_to_their_class(code):
    """linear.56: by both rules, the row itself is closest to itself."""
    for scores in (code * 1.5, code * 0.2):
        np.testing.assert_array_equal(hamming_distances(scores, code).argmin(axis=1), range(4))
        for loss in ("logistic", "hinge", "exponential"):
            np.testing.assert_array_equal(
                loss_distances(scores, code, loss).argmin(axis=1), range(4)
            )


def test_ties_are_broken_and_nothing_else_changes():
    rng = np.random.default_rng(4)
    counts = rng.integers(0, 6, size=(500, 4)) / 2
    confidence = rng.normal(scale=10.0 ** rng.integers(-3, 6, size=(500, 1)), size=(500, 4))
    best = break_ties(counts, confidence).argmax(axis=1)
    for row, sure, k in zip(counts, confidence, best, strict=True):
        top = np.flatnonzero(row == row.max())
        assert k == top[sure[top].argmax()]


def test_a_score_of_zero_votes_against():
    assert votes([0.0, 1e-300, -1e-300]).tolist() == [-1.0, 1.0, -1.0]
