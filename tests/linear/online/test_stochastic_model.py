import numpy as np
import pytest

from margin.linear import SGDClassifier, SGDRegressor
from margin.linear.online._holdout import Part
from margin.linear.online._stochastic_model import StochasticModel


@pytest.mark.parametrize("model", [SGDClassifier(), SGDRegressor()])
def test_settings_are_the_parameters(model):
    assert isinstance(model, StochasticModel)
    settings = model.set_params(alpha=0.7, average=3, n_jobs=1)._settings()
    assert (settings.alpha, settings.average, settings.n_threads) == (0.7, 3, 1)
    assert settings.loss == model.loss


@pytest.mark.parametrize(
    ("bad", "text"),
    [
        ({"alpha": -1}, "alpha must be a number of at least 0"),
        ({"power_t": "x"}, "power_t must be a number"),
        ({"average": -1}, "average must be True, False or an integer of at least 0"),
        ({"validation_fraction": 1.0}, "validation_fraction must be between 0 and 1"),
        ({"loss": "logistic"}, "loss must be one of"),
        ({"learning_rate": "optimal", "alpha": 0.0}, "alpha must be above 0 for learning_rate="),
    ],
)
def test_refusals(bad, text):
    for model in (SGDClassifier, SGDRegressor):
        with pytest.raises(ValueError, match=f"^{model.__name__}: {text}"):
            model(**bad)._settings()


def test_rows_are_set_aside_only_when_asked_for():
    rows = Part(np.ones((20, 1)), np.arange(20) % 2, None)
    assert SGDClassifier()._watched(rows, stratify=True) == (rows, None)
    train, kept = SGDClassifier(early_stopping=True)._watched(rows, stratify=True)
    assert (len(train.y), len(kept.y)) == (18, 2)
