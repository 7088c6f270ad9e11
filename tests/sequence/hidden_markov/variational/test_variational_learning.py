"""The bound of variational Bayes against sums over all paths."""

from itertools import pairwise, product

import numpy as np
import pytest
from scipy.special import digamma

from margin.distributions import Categorical, DirichletCategorical
from margin.sequence.hidden_markov._learning import Learning
from margin.sequence.hidden_markov.emissions._emission import SymbolEmission
from margin.sequence.hidden_markov.variational._variational_learning import (
    Beliefs,
    VariationalLearning,
)

RNG = np.random.default_rng(0)


def test_messages_run_on_expected_logarithms():
    """sequence.16: the bound is a sum over paths less the divergence, and counts are its shares."""
    k, m, walk = 2, 3, [0, 2, 1, 1]
    prior = Beliefs(np.ones(k), np.ones((k, k)), DirichletCategorical(np.ones(m)))
    at = Beliefs(
        RNG.uniform(0.5, 3.0, k),
        RNG.uniform(0.5, 3.0, (k, k)),
        DirichletCategorical(RNG.uniform(0.5, 3.0, (k, m))),
    )
    rows = np.array(walk, dtype=float)[:, None]
    emission = SymbolEmission(n_symbols=m)
    data = Learning(emission, rows, np.array([0, 4]), None, None, np.arange(k))
    task = VariationalLearning(data, prior, lambda belief: Categorical(belief.mean))
    bound, counts = task.expect(at)

    def logs(a):
        return digamma(a) - digamma(a.sum(axis=-1, keepdims=True))

    start, steps, shown = logs(at.start), logs(at.transition), logs(at.laws.concentration)
    total, pairs = 0.0, np.zeros((k, k))
    for path in product(range(k), repeat=4):
        value = start[path[0]] + sum(shown[s, v] for s, v in zip(path, walk, strict=True))
        value += sum(steps[a, b] for a, b in pairwise(path))
        total += np.exp(value)
        for a, b in pairwise(path):
            pairs[a, b] += np.exp(value)
    assert bound == pytest.approx(np.log(total) - at.divergence(prior))
    np.testing.assert_allclose(counts.pairs, pairs / total)
    after = task.maximise(counts, at)
    np.testing.assert_allclose(after.transition, 1.0 + pairs / total)
    assert at.divergence(prior) > 0.0
    same = Beliefs(prior.start, prior.transition, DirichletCategorical(np.ones((k, m))))
    assert same.divergence(prior) == pytest.approx(0.0, abs=1e-12)
