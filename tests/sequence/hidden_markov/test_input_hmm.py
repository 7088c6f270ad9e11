import numpy as np
import pytest

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
