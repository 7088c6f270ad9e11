import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

from margin.distributions import Poisson
from margin.sequence import GaussianHMM, InputHMM


def driven(n=300, seed=0):
    rng = np.random.default_rng(seed)
    u = rng.normal(size=n)
    state, states = 0, []
    for t in range(n):
        state = int(rng.random() < 1 / (1 + np.exp(-4 * u[t])))
        states.append(state)
    x = np.array(states) * 3.0 + rng.normal(size=n)
    return np.column_stack([u, x]), np.array(states)


def test_inputs_tell_the_states():
    """sequence.24: with inputs the states and the observations are told better than without."""
    data, states = driven()
    model = InputHMM(2, random_state=0).fit(data)
    found = model.predict(data)
    right = max((found == states).mean(), (found != states).mean())
    plain = GaussianHMM(2, random_state=0).fit(data[:, 1])
    other = plain.predict(data[:, 1])
    assert right > max((other == states).mean(), (other != states).mean())
    assert model.score(data) > plain.score(data[:, 1])
    A = model.transition([[-3.0], [3.0]])
    np.testing.assert_allclose(A.sum(axis=2), 1.0)
    high = int(model.emission_.mean[:, 0].argmax())
    assert (A[1, :, high] > 0.9).all()
    assert (A[0, :, high] < 0.1).all()
    np.testing.assert_allclose(model.posterior(data).sum(axis=1), 1.0)


def test_inputs_that_say_nothing_leave_a_plain_chain():
    rng = np.random.default_rng(1)
    x = np.repeat([0.0, 5.0, 0.0, 5.0], 50) + rng.normal(size=200)
    model = InputHMM(2, alpha=1e-4, random_state=0, tol=1e-7).fit(
        np.column_stack([np.zeros(200), x])
    )
    plain = GaussianHMM(2, random_state=0, tol=1e-8).fit(x)
    assert model.log_prob(np.column_stack([np.zeros(200), x]))[0] == pytest.approx(
        plain.log_prob(x)[0], abs=0.1
    )


def test_refusals():
    with pytest.raises(ValueError, match="InputHMM: X must be rows of more than n_inputs=1"):
        InputHMM().fit([[1.0, 2.0]])
    with pytest.raises(ValueError, match="InputHMM: X must be observed in its inputs"):
        InputHMM().fit(np.array([[np.nan, 1.0], [1.0, 2.0]]))


def test_paths_filters_and_queries():
    """sequence.13, sequence.24: the best path is no worse than the best states by themselves."""
    data, states = driven()
    model = InputHMM(2, random_state=0).fit(data)
    path, value = model.decode(data)
    assert value[0] <= model.log_prob(data)[0]
    joint = clone(model).set_params(decoding="viterbi").fit(data)
    np.testing.assert_array_equal(joint.predict(data), path)
    assert max((path == states).mean(), (path != states).mean()) > 0.9
    filtered = model.filter(data[:40])
    np.testing.assert_allclose(filtered[-1], model.posterior(data[:40])[-1])
    np.testing.assert_allclose(model.query(data, [3, 70])[0], model.posterior(data)[[3, 70]])
    with pytest.raises(ValueError, match="times must be integers from 0 to 299"):
        model.query(data, [300])


def test_a_forecast_follows_the_inputs_to_come():
    """sequence.14, sequence.24: as unobserved rows with inputs would have it."""
    data, _ = driven()
    model = InputHMM(2, random_state=0).fit(data)
    later = np.array([[-3.0], [3.0], [0.5]])
    ahead = model.forecast(3, inputs=later)
    longer = np.vstack([data, np.column_stack([later, np.full(3, np.nan)])])
    share = model.query(longer, [300, 301, 302])[0]
    np.testing.assert_allclose(ahead.mean, share @ model.emission_.mean[:, 0])
    both = model.forecast(3, [data, data[:5]], inputs=later)
    np.testing.assert_allclose(both[0].mean, ahead.mean)
    assert ahead.mean[1] > 2.0 > 1.0 > ahead.mean[0]
    with pytest.raises(ValueError, match="InputHMM: inputs must be finite, 2 rows of 1 numbers"):
        model.forecast(2, inputs=later)


def test_samples_lead_back():
    data, _ = driven()
    model = InputHMM(2, random_state=0).fit(data)
    rows, path = model.sample(data[:, :1], random_state=1)
    assert rows.shape == data.shape
    np.testing.assert_array_equal(rows[:, 0], data[:, 0])
    assert (model.predict(rows) == path).mean() > 0.9
    assert model.score(rows) == pytest.approx(model.score(data), abs=0.2)


@pytest.mark.parametrize("emission", ["categorical", Poisson])
def test_other_emissions(emission):
    """sequence.21, sequence.24: inputs drive the states, whatever these show."""
    data, states = driven()
    counts = np.random.default_rng(0).poisson(np.where(states > 0, 9.0, 1.0)).clip(0, 12)
    rows = np.column_stack([data[:, 0], counts])
    model = InputHMM(2, emission=emission, random_state=0).fit(rows)
    found = model.predict(rows)
    assert max((found == states).mean(), (found != states).mean()) > 0.95
    assert np.isfinite(model.forecast(1, inputs=[[0.0]]).mean).all()
    assert model.sample([[0.0], [1.0]], random_state=0)[0].shape == (2, 2)


def test_labels_weights_and_gaps_everywhere():
    """sequence.15: some known states name them; weights repeat sequences or leave them out."""
    data, states = driven()
    few = np.full(300, -1)
    few[:5] = 1 - states[:5]
    named = InputHMM(2, random_state=0).fit([data], [few])
    assert named.emission_.mean[0, 0] > named.emission_.mean[1, 0]
    parts = [data[:100], data[100:200] * 1e3, data[200:]]
    model = InputHMM(2, tol=1e-9, random_state=0)
    heavy = clone(model).fit(parts, sample_weight=[2.0, 0.0, 1.0])
    long = clone(model).fit([parts[0], parts[0], parts[2]])
    assert heavy.fit_report_.objective == pytest.approx(long.fit_report_.objective, rel=1e-4)
    with pytest.raises(ValueError, match="InputHMM: X must be observed somewhere in every column"):
        InputHMM(2).fit([np.column_stack([data[:, 0], np.full(300, np.nan)])])


def test_cross_validation():
    """Sequences are samples: inputs stay with their observations."""
    parts = np.array_split(driven(600)[0], 6)
    assert np.isfinite(cross_val_score(InputHMM(2, random_state=0), parts, cv=3)).all()
    search = GridSearchCV(InputHMM(random_state=0), {"n_states": [1, 2]}, cv=3).fit(parts)
    assert search.best_params_ == {"n_states": 2}
    best = search.best_estimator_
    assert best.n_parameters_ == 1 + 4 + 4
    assert best.bic(parts) > best.aic(parts)
