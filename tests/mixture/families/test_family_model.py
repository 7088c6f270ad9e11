"""What mixtures of any distributions answer."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.exceptions import NotFittedError

from margin.distributions import Normal
from margin.mixture import Mixture

X = np.array([[0.0], [1.0], [5.0], [6.0]])


def test_answers_belong_together():
    """mixture.01."""
    model = Mixture([Normal(0.0, 1.0), Normal(5.0, 1.0)], random_state=0).fit(X)
    assert_allclose(model.score(X), model.score_samples(X).mean())
    assert_allclose(model.predict_proba(X).argmax(axis=1), model.predict(X))
    assert_allclose(model.fit_predict(X), [0, 0, 1, 1])
    assert_allclose(model.score_samples([[np.nan]]), 0.0, atol=1e-12)
    rows, labels = model.sample(7)
    assert rows.shape == (7, 1)
    assert (np.diff(labels) >= 0).all()


def test_a_mixture_that_was_not_fitted_says_so():
    with pytest.raises(NotFittedError):
        Mixture().sample()
    fitted = Mixture([Normal(0.0, 1.0)]).fit(X)
    with pytest.raises(ValueError, match="Mixture: n_samples must be at least 1, got 0"):
        fitted.sample(0)
