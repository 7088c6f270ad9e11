"""What a known model answers: the worked example, all questions."""

import numpy as np
import pytest
from sklearn.base import clone

from margin.core import Sequences
from margin.sequence import CategoricalHMM, GaussianHMM

GOLDEN = {
    "start_init": [0.6, 0.4],
    "transition_init": [[0.7, 0.3], [0.4, 0.6]],
    "emission_init": [[0.9, 0.1], [0.2, 0.8]],
    "fixed": ("start", "transition", "emission"),
}
SEEN = [0, 0, 1]


@pytest.fixture(scope="module")
def model():
    return CategoricalHMM(2, **GOLDEN).fit([SEEN])


def test_worked_numbers(model):
    """sequence.06: joint model with several sequences of different length."""
    np.testing.assert_allclose(np.exp(model.log_prob([SEEN, [0]])), [0.13623, 0.62])
    assert model.score([SEEN, [0]]) == pytest.approx(np.log(0.13623 * 0.62) / 4)


def test_filter_smoother_and_query(model):
    """sequence.07, sequence.08: filtered and smoothed states, also at given times."""
    np.testing.assert_allclose(model.filter(SEEN)[:, 0], [0.870968, 0.897810, 0.201938], atol=5e-7)
    smooth = model.posterior(SEEN)
    np.testing.assert_allclose(smooth[:, 0], [0.897820, 0.839683, 0.201938], atol=5e-7)
    asked = model.query(SEEN, [2, 0, 4])
    np.testing.assert_allclose(asked[0, :2], smooth[[2, 0]])
    np.testing.assert_allclose(
        asked[0, 2], smooth[2] @ np.linalg.matrix_power(model.transition_, 2)
    )
    with pytest.raises(ValueError, match="times must be"):
        model.query(SEEN, [-1])


def test_decoding(model):
    """sequence.13: the best path, its runners-up, and the best states."""
    assert model.predict(SEEN).tolist() == [0, 0, 1]
    paths, values = model.best_paths(SEEN, 8)
    assert len(paths) == 8
    assert np.exp(values).sum() == pytest.approx(0.13623)
    assert CategoricalHMM(2, decoding="posterior", **GOLDEN).fit([SEEN]).predict(SEEN).tolist() == [
        0,
        0,
        1,
    ]
    assert isinstance(model.predict([SEEN, [1]]), Sequences)
    with pytest.raises(ValueError, match="one sequence"):
        model.best_paths([SEEN, [1]], 2)


def test_prediction(model):
    """sequence.14: the next observation, and states several steps ahead."""
    np.testing.assert_allclose(
        model.forecast(1, SEEN).probabilities, [[0.522407, 0.477593]], atol=5e-7
    )
    ahead = model.forecast(5, SEEN).probabilities
    for h in range(1, 5):
        state = model.query(SEEN, [2 + h])[0, 0]
        np.testing.assert_allclose(ahead[h - 1], state @ model.emission_probabilities_)
    far = model.forecast(400, [SEEN, [1]])
    np.testing.assert_allclose(far[0].probabilities[-1], far[1].probabilities[-1])
    with pytest.raises(ValueError, match="h must be an integer of at least 1"):
        model.forecast(0)


def test_prediction_after_the_training_data(model):
    """sequence.14: without sequences it goes on where those of the fit ended."""
    fitted = clone(model).fit([[1, 1], SEEN, []])
    np.testing.assert_array_equal(
        fitted.forecast(3).probabilities, fitted.forecast(3, SEEN).probabilities
    )


def test_posterior_paths(model):
    """sequence.12: drawn backwards."""
    drawn = model.sample_states(SEEN, 20_000, random_state=0)
    np.testing.assert_allclose((drawn == 0).mean(axis=0), model.posterior(SEEN)[:, 0], atol=0.02)


def test_samples_come_from_the_model(model):
    """sequence.06: sampling; symbols and states have the joint frequencies of the model."""
    seen, states = model.sample(2, [30_000, 5], random_state=0)
    assert seen.lengths.tolist() == [30_000, 5]
    x, h = seen[0][:, 0].astype(int), states[0]
    for k in range(2):
        assert abs((x[h == k] == 0).mean() - model.emission_probabilities_[k, 0]) < 0.02
    again, _ = model.sample(2, [30_000, 5], random_state=0)
    assert again == seen


def test_online_is_the_filter(model):
    """sequence.07: followed step by step."""
    belief = model.online().correct(model.log_emission([0])[0])
    belief = belief.predict().correct(model.log_emission([0])[0])
    np.testing.assert_allclose(belief.state, model.filter(SEEN)[1])


def test_unobserved_steps(model):
    """An unobserved step is summed over; a sequence of nothing else has probability one."""
    value = model.log_prob([[0, np.nan, 1]])
    both = np.exp(model.log_prob([[0, 0, 1], [0, 1, 1]])).sum()
    np.testing.assert_allclose(np.exp(value), both)
    np.testing.assert_allclose(model.log_prob([[np.nan] * 4]), 0.0, atol=1e-12)
    assert np.isfinite(model.posterior([np.nan, np.nan])).all()


def test_impossible_symbols(model):
    assert model.log_prob([[0, 7]]).tolist() == [-np.inf]
    for ask in (model.predict, model.posterior, model.filter):
        with pytest.raises(ValueError, match="X must be possible under the model"):
            ask([0, 7])
    with pytest.raises(ValueError, match="X must be possible under the model"):
        model.forecast(1, [0, 7])


def test_criteria_prefer_the_true_number_of_states():
    level = np.repeat([0.0, 6.0] * 5, 30)
    x = level + np.random.default_rng(0).normal(size=300)
    models = [GaussianHMM(k, n_init=2, random_state=0).fit(x) for k in (1, 2, 3)]
    assert np.argmin([m.bic(x) for m in models]) == 1
    assert models[1].n_parameters_ == 1 + 2 + 4
    assert models[1].aic(x) < models[0].aic(x)
