import numpy as np
import pytest
from sklearn.metrics import accuracy_score, log_loss, mean_absolute_error, r2_score, roc_auc_score

from margin.ensemble.boosting._answers import KnownNumbers, KnownProbabilities, scored


def test_numbers():
    rng = np.random.default_rng(0)
    y, answers, weight = rng.random(20), rng.random(20), rng.random(20)
    X = np.zeros((20, 1))
    model = KnownNumbers(answers)
    assert scored(model, None, X, y, None) == pytest.approx(r2_score(y, answers))
    error = mean_absolute_error(y, answers, sample_weight=weight)
    assert scored(model, "neg_mean_absolute_error", X, y, weight) == pytest.approx(-error)
    assert model.fit(X, y) is model


def test_probabilities():
    rng = np.random.default_rng(0)
    y = np.array(["a", "b"] * 10)
    p = rng.random(20)
    model = KnownProbabilities(np.column_stack([1 - p, p]), np.array(["a", "b"]))
    X = np.zeros((20, 1))
    chosen = np.where(p > 0.5, "b", "a")
    assert scored(model, None, X, y, None) == pytest.approx(accuracy_score(y, chosen))
    assert scored(model, "roc_auc", X, y, None) == pytest.approx(roc_auc_score(y, p))
    assert scored(model, "neg_log_loss", X, y, None) == pytest.approx(-log_loss(y, p))
    assert model.fit(X, y) is model
