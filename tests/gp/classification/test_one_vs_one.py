"""One two-class process per pair of classes."""

import numpy as np
import pytest

from margin.gp import GaussianProcessClassifier
from margin.gp.classification._binary import Laplace
from margin.gp.classification._latent import Labels
from margin.gp.classification._one_vs_one import OneVsOne, most_wins
from margin.inference import LogisticLikelihood
from margin.kernels import RBF

rng = np.random.default_rng(0)
X = np.concatenate([rng.normal(c, 0.4, (8, 2)) for c in (0.0, 2.0, 4.0)])
y = np.repeat(["a", "b", "c"], 8)


def test_evidence_is_the_sum_over_pairs_and_its_gradient_that_of_differences():
    seen = Labels(X, np.repeat([0, 1, 2], 8), 3)
    solver, kernel = OneVsOne(Laplace(LogisticLikelihood())), 2.0 * RBF(1.0)
    there = solver.evaluate(kernel, seen)
    parts = [Labels(X[k], seen.codes[k], 3) for k in (seen.codes < 2, seen.codes != 1)]
    two = Laplace(LogisticLikelihood(), positive=1).evaluate(kernel, parts[0]).value
    assert there.value < two
    for j in range(2):
        step = np.eye(2)[j] * 1e-5
        up = solver.evaluate(kernel.with_theta(kernel.theta + step), seen).value
        down = solver.evaluate(kernel.with_theta(kernel.theta - step), seen).value
        assert there.gradient[j] == pytest.approx((up - down) / 2e-5, abs=1e-5)


def test_classifier_by_votes():
    model = GaussianProcessClassifier(multi_class="one_vs_one").fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.latent_mean_and_variance(X)[0].shape == (24, 3)
    with pytest.raises(ValueError, match="does not support predicting probability"):
        model.predict_proba(X)


def test_two_classes_have_probabilities_all_the_same():
    model = GaussianProcessClassifier(multi_class="one_vs_one").fit(X[:16], y[:16])
    assert model.predict_proba(X).shape == (24, 2)


def test_a_cycle_is_decided_by_the_sums():
    # 1 beats 0, 0 beats 2, 2 beats 1: one win each; the sums are 1, -2 and 1 of margins.
    assert most_wins(np.array([[1.0, -3.0, 0.5]]), 3).tolist() == [0]
