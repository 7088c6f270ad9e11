"""Variational Bayes."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.special import betaln, digamma, logsumexp

from margin.distributions import Beta
from margin.inference import Expectation, expectation_maximisation, variational_bayes

HEADS = np.array([5.0, 9.0, 8.0, 4.0, 7.0])


def bayes(prior, start):
    """Two coins, one drawn evenly for every row of ten tosses."""

    def expect(q):
        total = digamma(q.a + q.b)
        joint = HEADS[:, None] * (digamma(q.a) - total) - np.log(2)
        joint = joint + (10 - HEADS)[:, None] * (digamma(q.b) - total)
        norm = logsumexp(joint, axis=1, keepdims=True)
        return Expectation(norm.sum() - q.kl(prior).sum(), np.exp(joint - norm))

    def maximise(share, _):
        return Beta(prior.a + HEADS @ share, prior.b + (10 - HEADS) @ share)

    return variational_bayes(expect, maximise, [start], tol=1e-12)


def test_the_bound_rises_and_stays_below_the_evidence():
    """inference.31: evidence by summing over all 32 assignments of rows to coins."""
    solution = bayes(Beta([1.0, 1.0], [1.0, 1.0]), Beta([6.0, 5.0], [4.0, 5.0]))
    assert solution.solver == "variational Bayes"
    assert solution.extras["smallest_step"] > 0
    each = []
    for code in range(32):
        first = np.array([(code >> i) & 1 for i in range(5)], bool)
        parts = [(HEADS[c].sum(), (10 - HEADS[c]).sum()) for c in (first, ~first)]
        each.append(sum(betaln(1 + h, 1 + t) for h, t in parts) - 5 * np.log(2))
    log_evidence = logsumexp(each)
    assert log_evidence - 2 < -solution.objective < log_evidence


def test_em_is_the_case_of_much_data_and_a_flat_prior():
    """inference.31: a hundred copies of the tosses; the belief shrinks to EM's point."""
    copies = 1000.0

    def expect(q):
        total = digamma(q.a + q.b)
        joint = HEADS[:, None] * (digamma(q.a) - total)
        joint = joint + (10 - HEADS)[:, None] * (digamma(q.b) - total)
        norm = logsumexp(joint, axis=1, keepdims=True)
        prior = Beta([1.0, 1.0], [1.0, 1.0])
        return Expectation(copies * norm.sum() - q.kl(prior).sum(), np.exp(joint - norm))

    def maximise(share, _):
        return Beta(1 + copies * HEADS @ share, 1 + copies * (10 - HEADS) @ share)

    def expect_point(p):
        joint = HEADS[:, None] * np.log(p) + (10 - HEADS)[:, None] * np.log1p(-p)
        norm = logsumexp(joint, axis=1, keepdims=True)
        return Expectation(norm.sum(), np.exp(joint - norm))

    belief = variational_bayes(expect, maximise, [Beta([6.0, 5.0], [4.0, 5.0])], tol=1e-13).x
    point = expectation_maximisation(
        expect_point, lambda s, _: HEADS @ s / (10 * s.sum(0)), [np.array([0.6, 0.5])], tol=1e-13
    ).x
    assert_allclose(belief.mean, point, atol=1e-3)
