"""Chains of any order: counting, beliefs, long runs, tests of order."""

import numpy as np
import pytest

from margin.datasets import make_weather
from margin.sequence import MarkovChain


def test_counting_recovers_the_weather():
    """sequence.01: fit by counts, and the record of a machine whose table is known."""
    weather = make_weather(20_000, random_state=0)
    chain = MarkovChain().fit([weather.data])
    np.testing.assert_allclose(chain.transition_, weather.transition, atol=0.02)
    np.testing.assert_allclose(chain.stationary(), np.array([6, 4, 3]) / 13, atol=0.02)
    assert chain.fit_report_.status.value == "converged"


@pytest.mark.parametrize(
    ("k", "order", "free"), [(4, 1, 12), (4, 2, 48), (10, 1, 90), (10, 2, 900)]
)
def test_parameter_counts(k, order, free):
    """sequence.01: K(K-1) and K²(K-1)."""
    assert MarkovChain(order, n_states=k).fit([np.arange(k)]).n_parameters_ == free


def test_an_order_m_chain_is_a_chain_of_contexts():
    """sequence.01: order reduction; and the likelihood is a product over steps."""
    rng = np.random.default_rng(0)
    walks = [rng.integers(0, 2, 60) for _ in range(3)]
    chain = MarkovChain(2).fit(walks)
    reduced = chain.as_first_order()
    np.testing.assert_allclose(reduced.sum(axis=1), 1.0)
    assert reduced[0b01, 0b10] == chain.transition_[0b01, 0]
    assert reduced[0b01, 0b00] == 0.0
    walk = walks[0]
    value = np.log(chain.start_[walk[0]]) + np.log(chain.lower_[1][walk[0], walk[1]])
    for t in range(2, 60):
        value += np.log(chain.transition_[2 * walk[t - 2] + walk[t - 1], walk[t]])
    assert chain.log_prob(walks)[0] == pytest.approx(value)
    far = chain.forecast(3, walk)
    start = np.zeros(4)
    start[2 * walk[-2] + walk[-1]] = 1.0
    law = start @ np.linalg.matrix_power(reduced, 3)
    np.testing.assert_allclose(far.probabilities[-1], law.reshape(2, 2).sum(axis=0))


def test_non_stationary_products():
    """sequence.01: matrices that change with time."""
    chain = MarkovChain.of([[0.9, 0.1], [0.5, 0.5]], [1.0, 0.0])
    swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    laws = chain.marginals(3, [swap, chain.transition_])
    np.testing.assert_allclose(laws, [[1, 0], [0, 1], [0.5, 0.5]])
    np.testing.assert_allclose(chain.marginals(2)[1], [0.9, 0.1])


def test_warnings_of_the_long_run():
    """sequence.02: periodic and reducible chains are told."""
    with pytest.warns(UserWarning, match="period 2"):
        law = MarkovChain.of([[0, 1], [1, 0]]).stationary()
    np.testing.assert_allclose(law, 0.5)
    with pytest.warns(UserWarning, match="2 closed classes"):
        MarkovChain.of(np.eye(2)).stationary()
    assert MarkovChain.of([[0.5, 0.5], [0.0, 1.0]]).hitting_times([1]).tolist() == [2.0, 0.0]
    assert MarkovChain.of([[0.9, 0.1], [0.1, 0.9]]).mixing_time() == 4


def test_dirichlet_beliefs_add_counts_to_the_prior():
    """sequence.04: u + counts, batch equals sequential, u = 1 is maximum likelihood."""
    walks = [[0, 0, 1], [1, 0, 0, 1]]
    chain = MarkovChain(prior=3.0).fit(walks)
    counts = np.array([[2.0, 2.0], [1.0, 0.0]])
    np.testing.assert_array_equal(chain.counts_, counts)
    np.testing.assert_allclose(chain.posterior_.concentration, counts + 3.0)
    mode = (counts + 2.0) / (counts + 2.0).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(chain.transition_, mode)
    parts = [MarkovChain(n_states=2).fit([w]).counts_ for w in walks]
    np.testing.assert_array_equal(sum(parts), counts)


def test_gaps_are_learned_by_expectation_maximisation():
    """sequence.01: of a long record with gaps the exact likelihood does not fall, and the truth
    has no better one than the fit."""
    weather = make_weather(3000, random_state=1)
    x = weather.data.astype(float)
    x[np.random.default_rng(0).random(3000) < 0.3] = np.nan
    chain = MarkovChain().fit([x])
    np.testing.assert_allclose(chain.transition_, weather.transition, atol=0.08)
    truth = MarkovChain.of(weather.transition, weather.start)
    assert chain.log_prob([x])[0] >= truth.log_prob([x])[0]


def test_order_tests():
    """sequence.01: goodness of order, by likelihood ratio and by BIC."""
    rng = np.random.default_rng(3)
    first = MarkovChain.of([[0.8, 0.2], [0.3, 0.7]]).sample(1, 3000, random_state=0)
    one, two = MarkovChain(1).fit(first), MarkovChain(2).fit(first)
    assert one.order_test(first, two)[1] > 0.01
    assert one.bic(first) < two.bic(first)
    walk = [0, 1]
    for u in rng.random(3000):
        walk.append(int(u < (0.9 if walk[-1] != walk[-2] else 0.2)))
    one, two = MarkovChain(1).fit([walk]), MarkovChain(2).fit([walk])
    assert one.order_test([walk], two)[1] < 1e-6
    assert two.bic([walk]) < one.bic([walk])
    with pytest.raises(ValueError, match="order above 2"):
        two.order_test([walk], one)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_samples_of_every_order(order):
    rng = np.random.default_rng(0)
    chain = MarkovChain(order, n_states=3).fit([rng.integers(0, 3, 500)])
    walks = chain.sample(2, [40, 9000], random_state=1)
    assert walks.lengths.tolist() == [40, 9000]
    again = MarkovChain(order, n_states=3).fit(walks)
    np.testing.assert_allclose(again.transition_, chain.transition_, atol=0.08)


def test_weights_are_copies():
    walks = [[0, 1, 1], [1, 0]]
    heavy = MarkovChain().fit(walks, sample_weight=[2, 1])
    np.testing.assert_allclose(heavy.transition_, MarkovChain().fit([*walks, walks[0]]).transition_)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"order": -1}, "order must be"),
        ({"prior": 0.5}, "prior must be"),
        ({"n_states": 0}, "n_states"),
    ],
)
def test_refusals(settings, message):
    with pytest.raises(ValueError, match=f"MarkovChain: {message}"):
        MarkovChain(**settings).fit([[0, 1]])


def test_one_step_and_unseen_contexts():
    chain = MarkovChain(n_states=2).fit([[0]])
    np.testing.assert_allclose(chain.transition_, 0.5)
    assert chain.log_prob([[0], [1]]).tolist() == [0.0, -np.inf]
    with pytest.raises(ValueError, match="at least 2 steps"):
        MarkovChain(2, n_states=2).fit([[0, 1, 0]]).forecast(1, [0])


def test_forecast_of_every_step():
    """sequence.14: laws of all steps, after the training data or other states, gaps included."""
    walks = [[0, 1, 1, 0, 1, 0, 0, 1], [1, 1, 0, 1, 0, 1, 1, 1, 0], []]
    chain = MarkovChain().fit(walks)
    ahead = chain.forecast(4)
    powers = [np.linalg.matrix_power(chain.transition_, h)[0] for h in range(1, 5)]
    np.testing.assert_allclose(ahead.probabilities, powers)
    np.testing.assert_allclose(chain.forecast(4, walks[1]).probabilities, ahead.probabilities)
    gap = chain.forecast(3, [1.0, np.nan]).probabilities
    np.testing.assert_allclose(gap, chain.forecast(4, [1]).probabilities[1:])
    assert [law.shape for law in chain.forecast(2, walks[:2])] == [(2,), (2,)]
    draws = MarkovChain(0).fit(walks)
    np.testing.assert_allclose(draws.forecast(2).probabilities, [draws.transition_[0]] * 2)
    with pytest.raises(ValueError, match="MarkovChain: h must be an integer of at least 1"):
        chain.forecast([0, 1])


def test_a_test_of_what_cannot_be():
    """sequence.04: transitions that one of the chains rules out are named, and no -inf given."""
    one, two = MarkovChain().fit([[0, 1] * 10]), MarkovChain(2).fit([[0, 1] * 10])
    with pytest.raises(ValueError, match="X must be possible under both chains"):
        one.order_test([[0, 0, 1, 1, 0]], two)
    wide = MarkovChain(2, n_states=3).fit([[0, 1, 2]])
    with pytest.raises(ValueError, match="other must be over 2 states, got 3"):
        one.order_test([[0, 1, 0]], wide)


def test_criteria_differ_by_their_price():
    walk = np.random.default_rng(0).integers(0, 3, 200)
    chain = MarkovChain().fit([walk])
    gap = chain.bic([walk]) - chain.aic([walk])
    assert gap == pytest.approx(chain.n_parameters_ * (np.log(200) - 2))
