import numpy as np
from scipy.stats import multivariate_normal

from margin.linear.discriminant._linear_rule import expected_rows, linear_rule, observed_scores

RNG = np.random.default_rng(0)
MEANS = RNG.normal(size=(3, 4))
ROOT = RNG.normal(size=(4, 4))
COVARIANCE = ROOT @ ROOT.T + np.eye(4)
PRIORS = np.array([0.5, 0.3, 0.2])


def rows(n=40, share=0.4):
    X = RNG.normal(size=(n, 4))
    X = np.where(RNG.random(X.shape) < share, np.nan, X)
    X[0] = np.nan
    return X


def marginal_posterior(x):
    o = ~np.isnan(x)
    if not o.any():
        return PRIORS
    block = COVARIANCE[np.ix_(o, o)]
    joint = PRIORS * [multivariate_normal(m[o], block).pdf(x[o]) for m in MEANS]
    return joint / joint.sum()


def softmax(scores):
    share = np.exp(scores - scores.max(axis=1, keepdims=True))
    return share / share.sum(axis=1, keepdims=True)


def test_scores_are_those_of_the_gaussians():
    """linear.36: a softmax of linear scores is the posterior."""
    rule = linear_rule(MEANS, COVARIANCE, PRIORS, 1e-6)
    X = RNG.normal(size=(20, 4))
    wanted = np.array([marginal_posterior(x) for x in X])
    np.testing.assert_allclose(softmax(X @ rule.coef.T + rule.intercept), wanted, atol=1e-12)
    np.testing.assert_allclose(rule.log_det, np.linalg.slogdet(COVARIANCE)[1])
    inverse = np.linalg.inv(COVARIANCE)
    np.testing.assert_allclose(rule.whiten @ rule.whiten.T, inverse, atol=1e-12)
    assert rule.rank == 4


def test_holes_are_integrated_out():
    """linear.36: the posterior given the observed columns, also where there are none."""
    X = rows()
    scores = observed_scores(X, MEANS, COVARIANCE, PRIORS, 1e-6)
    np.testing.assert_allclose(softmax(scores), [marginal_posterior(x) for x in X], atol=1e-12)
    np.testing.assert_allclose(softmax(scores)[0], PRIORS)


def test_holes_are_filled_with_what_is_expected():
    """linear.40: the mean of the mixture of the classes given what was observed."""
    X = rows()
    belief = np.array([marginal_posterior(x) for x in X])
    filled = expected_rows(X, belief, MEANS, COVARIANCE, PRIORS, 1e-6)
    for x, share, full in zip(X, belief, filled, strict=True):
        o = ~np.isnan(x)
        gain = COVARIANCE[np.ix_(~o, o)] @ np.linalg.pinv(COVARIANCE[np.ix_(o, o)])
        wanted = sum(p * (m[~o] + gain @ (x[o] - m[o])) for p, m in zip(share, MEANS, strict=True))
        np.testing.assert_allclose(full[~o], wanted, atol=1e-10)
        np.testing.assert_array_equal(full[o], x[o])


def test_directions_without_variance_are_left_out():
    """linear.40: a copy of a column changes nothing."""
    take = np.array([0, 1, 2, 3, 0])
    rule = linear_rule(MEANS[:, take], COVARIANCE[np.ix_(take, take)], PRIORS, 1e-6)
    assert rule.rank == 4
    X = RNG.normal(size=(10, 4))
    plain = linear_rule(MEANS, COVARIANCE, PRIORS, 1e-6)
    ours = softmax(X[:, take] @ rule.coef.T + rule.intercept)
    np.testing.assert_allclose(ours, softmax(X @ plain.coef.T + plain.intercept), atol=1e-10)
