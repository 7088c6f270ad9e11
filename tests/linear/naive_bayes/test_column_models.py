"""The contract of every column model: statistics add up, and the fit is the best there is."""

import numpy as np
import pytest
from scipy.optimize import minimize

from margin.linear._membership import Membership
from margin.linear.naive_bayes._column_models import MixedColumns, Parts
from margin.linear.naive_bayes._count_columns import BernoulliColumns, PoissonColumns
from margin.linear.naive_bayes._document_columns import MultinomialColumns
from margin.linear.naive_bayes._gaussian_columns import GaussianColumns
from margin.linear.naive_bayes._table_columns import Bins, Categories, TableColumns

N = 60
RNG = np.random.default_rng(0)
CODE = RNG.integers(2, size=N)
NUMBERS = RNG.standard_normal((N, 2)) + CODE[:, None]
COUNTS = RNG.poisson(2.0 + CODE[:, None], (N, 2)).astype(float)
FLAGS = (NUMBERS > 0).astype(float)
ALL = np.column_stack([NUMBERS, COUNTS])
CASES = {
    "gaussian": (GaussianColumns.of(NUMBERS, None, 1.0), NUMBERS),
    "bernoulli": (BernoulliColumns(0.5), FLAGS),
    "poisson": (PoissonColumns.of(COUNTS, None, 2.0), COUNTS),
    "multinomial": (MultinomialColumns(0.7), COUNTS),
    "categorical": (TableColumns(0.5, Categories((12, 12))), COUNTS),
    "histogram": (TableColumns(0.5, Bins.of(NUMBERS, 4)), NUMBERS),
    "mixed": (
        MixedColumns(
            1.0,
            (np.array([0, 1]), np.array([2, 3])),
            (GaussianColumns.of(NUMBERS, None, 1.0), PoissonColumns.of(COUNTS, None, 1.0)),
        ),
        ALL,
    ),
}


def flat(stats):
    if isinstance(stats, Parts):
        return np.concatenate([flat(part) for part in stats.parts])
    if isinstance(stats, np.ndarray):
        return stats.ravel()
    return np.concatenate([stats.count.ravel(), stats.mean.ravel(), stats.scatter.ravel()])


def holes(X):
    return np.where(np.random.default_rng(1).random(X.shape) < 0.3, np.nan, X)


@pytest.mark.parametrize("kind", CASES)
def test_statistics_add_up_over_batches(kind):
    model, X = CASES[kind]
    X = X if kind == "multinomial" else holes(X)
    parts = [model.statistics(X[s], Membership.hard(CODE[s], 2)) for s in (np.s_[:20], np.s_[20:])]
    whole = model.statistics(X, Membership.hard(CODE, 2))
    np.testing.assert_allclose(flat(parts[0] + parts[1]), flat(whole), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("kind", CASES)
def test_total_log_prob_is_the_sum_over_rows(kind):
    model, X = CASES[kind]
    X = X if kind == "multinomial" else holes(X)
    stats = model.statistics(X, Membership.hard(CODE, 2))
    fitted = model.fit(stats)
    rows = fitted.log_prob(X)[np.arange(N), CODE].sum()
    assert fitted.total_log_prob(stats) == pytest.approx(rows, rel=1e-10)


@pytest.mark.parametrize("kind", [k for k in CASES if k != "multinomial"])
def test_an_unobserved_value_counts_for_nothing(kind):
    model, X = CASES[kind]
    fitted = model.fit(model.statistics(X, Membership.hard(CODE, 2)))
    hidden = X.copy()
    hidden[:, 0] = np.nan
    empty = np.full_like(X, np.nan)
    np.testing.assert_allclose(fitted.log_prob(empty), 0.0, atol=1e-12)
    only = X.copy()
    only[:, 1:] = np.nan
    both = fitted.log_prob(hidden) + fitted.log_prob(only)
    np.testing.assert_allclose(both, fitted.log_prob(X), rtol=1e-10, atol=1e-10)


PARAMETERS = {
    "gaussian": lambda f: [f.mean, np.log(f.var)],
    "bernoulli": lambda f: [f.log_one - f.log_zero],
    "poisson": lambda f: [np.log(f.rate)],
    "multinomial": lambda f: [f.log_theta],
    "categorical": lambda f: list(f.log_theta),
}


@pytest.mark.parametrize("kind", PARAMETERS)
def test_the_fit_maximises_likelihood_times_prior(kind):
    """The formulas of linear.43 to linear.46 against a numerical search from elsewhere."""
    model, X = CASES[kind]
    stats = model.statistics(X, Membership.hard(CODE, 2))
    best = model.fit(stats)
    start = PARAMETERS[kind](best)
    sizes = [part.size for part in start]

    def rebuilt(flat_values):
        parts = np.split(flat_values, np.cumsum(sizes)[:-1])
        parts = [v.reshape(part.shape) for v, part in zip(parts, start, strict=True)]
        normal = [v - np.log(np.exp(v).sum(axis=1, keepdims=True)) for v in parts]
        if kind == "gaussian":
            mean, var = parts[0], np.exp(parts[1])
            penalty = -0.5 * model.alpha * float(np.sum(np.log(var) + model.var / var))
            return type(best)(mean, var, penalty)
        if kind == "bernoulli":
            return type(best)(-np.logaddexp(0, -parts[0]), -np.logaddexp(0, parts[0]), best.alpha)
        if kind == "poisson":
            return type(best)(np.exp(parts[0]), best.alpha, best.prior_mean)
        if kind == "multinomial":
            return type(best)(normal[0], best.alpha)
        return type(best)(tuple(normal), best.coder, best.alpha)

    def loss(flat_values):
        fitted = rebuilt(flat_values)
        return -(fitted.total_log_prob(stats) + fitted.log_penalty) / N

    origin = np.concatenate([part.ravel() for part in start])
    away = origin + 0.3 * np.random.default_rng(3).standard_normal(len(origin))
    searched = minimize(loss, away, method="BFGS", options={"gtol": 1e-7})
    assert loss(origin) == pytest.approx(searched.fun, abs=1e-9)
    assert loss(origin) <= searched.fun + 1e-12


def test_a_class_without_observations_is_like_all_others():
    X = np.array([[1.0], [3.0], [np.nan]])
    fitted = GaussianColumns.of(X, None, 0.0).fit(
        Membership.hard(np.array([0, 0, 1]), 2).moments(X)
    )
    np.testing.assert_allclose(fitted.mean[1], fitted.mean[0])
    np.testing.assert_allclose(fitted.var[1], fitted.var[0])


@pytest.mark.parametrize("kind", CASES)
def test_samples_have_the_moments_of_the_model(kind):
    model, X = CASES[kind]
    if kind == "multinomial":
        model = MultinomialColumns(0.7, length=float(X.sum(axis=1).mean()))
    fitted = model.fit(model.statistics(X, Membership.hard(np.zeros(N), 1)))
    drawn = fitted.sample(np.zeros(20_000, dtype=int), np.random.default_rng(0))
    assert drawn.shape == (20_000, X.shape[1])
    wide = 0.35 if kind in ("categorical", "histogram") else 0.1
    np.testing.assert_allclose(drawn.mean(axis=0), X.mean(axis=0), atol=wide)
