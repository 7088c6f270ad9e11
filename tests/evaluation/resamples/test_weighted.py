"""Scores of weighted rows against the same rows written out."""

import numpy as np
import pytest

from margin.evaluation import Metric
from margin.evaluation.resamples._weighted import weighted_score

THREE, TWO = ("a", "b", "c"), (0, 1)
COSTS = ((0.0, 1.0, 2.0), (5.0, 0.0, 1.0), (1.0, 3.0, 0.0))


def labels(classes):
    return lambda rng, n: rng.choice(classes, n)


def probabilities(k, digits=12):
    def draw(rng, n):
        # few digits make ties
        return np.round(rng.dirichlet(np.ones(k), n), digits)

    return draw


def numbers(rng, n):
    return rng.normal(size=n) + 2.0


CASES = [
    (Metric("accuracy", THREE), labels(THREE), labels(THREE)),
    (Metric("balanced accuracy", THREE), labels(THREE), labels(THREE)),
    (Metric("F1", TWO, 1), labels(TWO), labels(TWO)),
    (Metric("F1", TWO, 0), labels(TWO), labels(TWO)),
    (Metric("F1", THREE), labels(THREE), labels(THREE)),
    (Metric("Matthews correlation", TWO, 1), labels(TWO), labels(TWO)),
    (Metric("Matthews correlation", THREE), labels(THREE), labels(THREE)),
    (Metric("cost", THREE, costs=COSTS), labels(THREE), labels(THREE)),
    (Metric("ROC AUC", TWO, 1), labels(TWO), probabilities(2)),
    (Metric("ROC AUC", TWO, 0), labels(TWO), probabilities(2, 1)),
    (Metric("ROC AUC", THREE), labels(THREE), probabilities(3, 1)),
    (Metric("average precision", TWO, 1), labels(TWO), probabilities(2)),
    (Metric("average precision", TWO, 1), labels(TWO), probabilities(2, 1)),
    (Metric("average precision", THREE), labels(THREE), probabilities(3, 1)),
    (Metric("log loss", THREE), labels(THREE), probabilities(3)),
    (Metric("R²"), numbers, numbers),
    (Metric("RMSE"), numbers, numbers),
    (Metric("MAE"), numbers, numbers),
    (Metric("D² absolute"), numbers, numbers),
    (Metric("D² Poisson"), lambda rng, n: rng.poisson(2.0, n).astype(float), numbers),
]


@pytest.mark.parametrize("n", [3, 17, 120])
@pytest.mark.parametrize(("metric", "truth", "answer"), CASES)
def test_it_is_the_score_of_the_rows_written_out(metric, truth, answer, n):
    compared = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        y, answers = truth(rng, n), answer(rng, n)
        weight = np.bincount(rng.integers(n, size=n), minlength=n)
        ours = weighted_score(metric, y, answers)(weight.astype(float))
        if np.isfinite(ours):
            compared += 1
            rows = np.repeat(np.arange(n), weight)
            assert ours == pytest.approx(metric(y[rows], answers[rows]), rel=1e-9, abs=1e-12)
    assert compared >= 4


def test_infinite_values_are_the_lowest():
    value = np.array([[0.0, -np.inf], [0.0, 0.2], [0.0, 0.1]])
    score = weighted_score(Metric("ROC AUC", TWO, 1), np.array([0, 1, 0]), value)
    assert score(np.ones(3)) == 1.0


def test_rows_of_one_class_have_no_area():
    score = weighted_score(Metric("ROC AUC", TWO, 1), np.array([0, 1]), np.eye(2))
    assert np.isnan(score(np.array([2.0, 0.0])))
    assert score(np.array([1.0, 1.0])) == 1.0


def test_an_answer_that_the_truth_never_has_is_an_error_like_any_other():
    y, guess = np.array(["a", "b", "b"]), np.array(["a", "z", "b"])
    score = weighted_score(Metric("accuracy", ("a", "b")), y, guess)
    assert score(np.array([1.0, 2.0, 1.0])) == 0.5
