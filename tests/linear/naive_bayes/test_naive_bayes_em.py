import numpy as np
import pytest
from scipy.special import logsumexp

from margin.core import Status
from margin.linear._membership import Membership
from margin.linear.naive_bayes._column_models import MixedColumns
from margin.linear.naive_bayes._count_columns import BernoulliColumns, PoissonColumns
from margin.linear.naive_bayes._document_columns import MultinomialColumns
from margin.linear.naive_bayes._gaussian_columns import GaussianColumns
from margin.linear.naive_bayes._naive_bayes_em import (
    PartlyLabelled,
    Rows,
    fit_partly_labelled,
    seeds,
)
from margin.linear.naive_bayes._table_columns import Bins, Categories, TableColumns

N = 120


def problem(kind, alpha, seed=0):
    rng = np.random.default_rng(seed)
    z = rng.integers(3, size=N)
    numbers = rng.standard_normal((N, 2)) + 1.5 * z[:, None]
    counts = rng.poisson(1.0 + 2 * z[:, None], (N, 2)).astype(float)
    holes = rng.random((N, 2)) < 0.2
    hidden, few = np.where(holes, np.nan, numbers), np.where(holes, np.nan, counts)
    flags = (numbers > 1).astype(float)
    return {
        "gaussian": (GaussianColumns.of(hidden, None, alpha), hidden),
        "bernoulli": (BernoulliColumns(alpha), flags),
        "poisson": (PoissonColumns.of(few, None, alpha), few),
        "multinomial": (MultinomialColumns(alpha), counts),
        "categorical": (TableColumns(alpha, Categories((15, 15))), few),
        "histogram": (TableColumns(alpha, Bins.of(hidden, 5)), hidden),
        "mixed": (
            MixedColumns(
                alpha,
                (np.array([0, 1]), np.array([2, 3])),
                (GaussianColumns.of(hidden, None, alpha), PoissonColumns.of(few, None, alpha)),
            ),
            np.column_stack([hidden, few]),
        ),
    }[kind], z


def climb(model, rows, priors=None, *, tol=1e-7, max_iter=2000, n_init=1, seed=2):
    return fit_partly_labelled(
        PartlyLabelled(model, rows, priors),
        tol=tol,
        max_iter=max_iter,
        n_init=n_init,
        rng=np.random.default_rng(seed),
    )


KINDS = ["gaussian", "bernoulli", "poisson", "multinomial", "categorical", "histogram", "mixed"]


@pytest.mark.parametrize("alpha", [0.0, 0.5])
@pytest.mark.parametrize("labels", [0, 30])
@pytest.mark.parametrize("kind", KINDS)
def test_the_objective_never_rises(kind, labels, alpha):
    """adaptation.06, mixture.06: the smallest step of the likelihood of all rows together."""
    (model, X), z = problem(kind, alpha)
    code = np.where(np.arange(N) < labels, z, -1)
    weight = np.random.default_rng(1).random(N)
    solution = climb(model, Rows(X, code, 3, weight))
    steps = -np.diff(solution.trace["objective"])
    assert len(steps) > 3
    assert steps.min() > -1e-10 * max(1.0, np.abs(solution.trace["objective"]).max())
    assert solution.extras["smallest_step"] == pytest.approx(steps.min(), abs=1e-15)
    assert solution.status is Status.CONVERGED
    assert solution.certificate.holds


def test_the_objective_is_the_likelihood_of_what_was_observed():
    """adaptation.06, brute force: labelled rows under their class, the others summed out."""
    (model, X), z = problem("mixed", 0.7)
    code, weight = np.where(np.arange(N) < 40, z, -1), np.random.default_rng(1).random(N)
    solution = climb(model, Rows(X, code, 3, weight), tol=1e-8, max_iter=500)
    likelihood, log_prior = solution.x
    joint = likelihood.log_prob(X) + log_prior
    own = np.where(code >= 0, joint[np.arange(N), code], logsumexp(joint, axis=1))
    expected = -(weight @ own + likelihood.log_penalty) / weight.sum()
    assert solution.objective == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("kind", ["gaussian", "poisson", "categorical"])
def test_a_fixed_point_is_a_stationary_point(kind):
    """mixture.06: at the end the parameters are those that their own posterior asks for."""
    (model, X), _ = problem(kind, 0.5)
    rows = Rows(X, np.full(N, -1), 2)
    likelihood, log_prior = climb(model, rows, tol=1e-15, max_iter=20_000, seed=0).x
    joint = likelihood.log_prob(X) + log_prior
    share = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
    again = model.fit(model.statistics(X, Membership.soft(share)))
    np.testing.assert_allclose(again.log_prob(X), likelihood.log_prob(X), atol=1e-4)
    np.testing.assert_allclose(np.log(share.mean(axis=0)), log_prior, atol=1e-4)


def test_labels_alone_take_one_step_and_priors_can_be_fixed():
    (model, X), z = problem("gaussian", 0.0)
    solution = climb(model, Rows(X, z, 3), np.array([0.2, 0.3, 0.5]), max_iter=10)
    assert solution.n_iter == 1
    assert solution.status is Status.CONVERGED
    np.testing.assert_allclose(np.exp(solution.x.log_prior), [0.2, 0.3, 0.5])
    stats = model.statistics(X, Membership.hard(z, 3))
    np.testing.assert_array_equal(solution.x.likelihood.mean, model.fit(stats).mean)


def test_the_best_of_several_clusterings_is_kept():
    """mixture.06"""
    (model, X), _ = problem("mixed", 0.5)
    rows = Rows(X, np.full(N, -1), 3)
    several = climb(model, rows, n_init=6, seed=4)
    assert len(several.extras["bounds"]) == 6
    assert -several.objective == several.extras["bounds"].max()
    assert several.extras["bounds"].min() < several.extras["bounds"].max()


def test_seeds_are_far_apart():
    X = np.repeat([[0.0], [50.0], [100.0]], 20, axis=0) + np.arange(60)[:, None] / 100
    model = GaussianColumns.of(X, None, 0.0)
    rows = Rows(X, np.full(60, -1), 3)
    hits = 0
    for seed in range(20):
        share = seeds(model, rows, np.random.default_rng(seed))
        np.testing.assert_allclose(share.sum(axis=1), 1.0)
        hits += len(np.unique(share.argmax(axis=1))) == 3
    assert hits >= 15
