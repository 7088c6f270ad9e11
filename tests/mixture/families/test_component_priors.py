"""Log densities of priors at components, and the bound that counts them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import (
    Bernoulli,
    BetaBernoulli,
    Binomial,
    Categorical,
    DirichletCategorical,
    Exponential,
    GammaExponential,
    GammaPoisson,
    MultivariateNormal,
    Normal,
    NormalInverseGamma,
    NormalInverseWishart,
    NormalMean,
    Poisson,
    Product,
    Uniform,
    VectorMean,
)
from margin.mixture import Mixture
from margin.mixture.families._component_priors import is_bounded, log_prior, supported

RNG = np.random.default_rng(0)
EYE = np.eye(2)
FAR = np.concatenate([RNG.normal(size=(30, 2)), RNG.normal(size=(30, 2)) + 5])
COUNTS = np.concatenate([RNG.poisson(2, (30, 1)), RNG.poisson(9, (30, 1))])
TOSSES = (RNG.random((60, 3)) < np.where(np.arange(60) < 30, 0.2, 0.8)[:, None]).astype(float)

# Two components, their prior, rows.
CASES = {
    "normal": ([Normal([0.0], [1.0]), Normal([5.0], [1.0])],
               NormalInverseGamma([0.0], [50.0], [20.0], [20.0]), FAR[:, :1]),
    "mean": ([Normal([0.0], [2.0]), Normal([5.0], [3.0])],
             NormalMean([2.0], [1.0], [1.5]), FAR[:, :1]),
    "vector": ([MultivariateNormal([0.0, 0.0], EYE), MultivariateNormal([5.0, 5.0], EYE)],
               NormalInverseWishart([1.0, 1.0], 5.0, 9 * EYE, 8.0), FAR),
    "vector mean": ([MultivariateNormal([0.0, 0.0], EYE), MultivariateNormal([5.0, 5.0], EYE)],
                    VectorMean([2.0, 2.0], EYE, 2 * EYE), FAR),
    "poisson": ([Poisson([1.0]), Poisson([9.0])], GammaPoisson([3.0], [2.0]), COUNTS),
    "exponential": ([Exponential([1.0]), Exponential([0.1])],
                    GammaExponential([3.0], [2.0]), COUNTS + 0.5),
    "bernoulli": ([Bernoulli([0.3] * 3), Bernoulli([0.6] * 3)],
                  BetaBernoulli([3.0] * 3, [2.0] * 3), TOSSES),
    "states": ([Categorical([[0.3, 0.7]] * 3), Categorical([[0.6, 0.4]] * 3)],
               DirichletCategorical([[3.0, 2.0]] * 3), TOSSES),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_no_step_lowers_likelihood_plus_prior(case):
    """inference.29, mixture.03: the bound is that of the objective, which the fit maximises."""
    start, prior, X = CASES[case]
    model = Mixture(
        start, priors=[prior, prior], weight_concentration=1.5, tol=1e-13, max_iter=20000
    )
    model.fit(X)
    assert model.converged_
    assert np.diff(model.lower_bounds_).min() > -1e-12
    after = model.mixture_
    value = model.score_samples(X).sum() + sum(log_prior(c, prior) for c in after.components)
    value += 0.5 * np.log(model.weights_).sum()
    assert_allclose(model.lower_bound_, value / len(X))
    assert_allclose(model.lower_bound_, max(model.lower_bounds_), rtol=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_the_fit_with_a_prior_is_where_the_objective_is_highest(case):
    """Brute force: no parameter near the fit has a higher likelihood times prior."""
    start, prior, X = CASES[case]
    family, first = type(start[0]), start[0]
    best = family.fit(first.expected_statistics(X) if hasattr(first, "expected_statistics")
                      else family.statistics(X), prior)  # fmt: skip

    def objective(at):
        return at.log_prob_rows(X).sum() + log_prior(at, prior)

    for factor in (0.99, 1.01):
        if case in ("normal", "mean"):
            near = [Normal(best.mean * factor, best.std)]
            near += [Normal(best.mean, best.std * factor)] if case == "normal" else []
        elif case in ("vector", "vector mean"):
            near = [MultivariateNormal(best.mean * [1, factor], best.covariance)]
            if case == "vector":
                near += [MultivariateNormal(best.mean, best.covariance * factor)]
        elif case == "states":
            tilted = best.probabilities * [factor, 1]
            near = [Categorical(tilted / tilted.sum(axis=-1, keepdims=True))]
        else:
            name = "probability" if case == "bernoulli" else "rate"
            near = [family(getattr(best, name) * factor)]
        assert all(objective(other) < objective(best) for other in near)


def test_a_map_fit_leaves_its_start():
    """The iterate of highest likelihood is the start: that of highest posterior is not."""
    rng = np.random.default_rng(0)
    rng.normal(size=(100000, 8))
    X = np.concatenate([rng.normal(size=(30, 1)), rng.normal(size=(30, 1)) + 5])
    prior = NormalInverseGamma([0.0], [50.0], [20.0], [20.0])
    start = [Normal([0.0], [1.0]), Normal([5.0], [1.0])]
    model = Mixture(start, priors=[prior, prior], tol=1e-14, max_iter=5000).fit(X)
    share = model.predict_proba(X)
    for j, component in enumerate(model.mixture_.components):
        fixed = Normal.fit(Normal.statistics(X, np.ascontiguousarray(share[:, j])), prior)
        assert_allclose(component.mean, fixed.mean, atol=1e-6)
        assert_allclose(component.std, fixed.std, rtol=1e-6)
    assert abs(float(model.mixture_.components[1].mean[0]) - 5) > 1


def test_log_densities_are_those_of_scipy():
    value = log_prior(Normal(1.0, 2.0), NormalInverseGamma(0.0, 3.0, 2.0, 5.0))
    want = stats.invgamma(2.0, scale=5.0).logpdf(4.0)
    want += stats.norm(0.0, np.sqrt(4.0 / 3.0)).logpdf(1.0)
    assert_allclose(value, want)
    pair = Product([Normal([1.0], [2.0]), Poisson([3.0])], [[0], [1]])
    both = [NormalInverseGamma([0.0], [3.0], [2.0], [5.0]), GammaPoisson([2.0], [1.0])]
    assert_allclose(log_prior(pair, both), want + stats.gamma(2.0).logpdf(3.0))
    assert_allclose(
        log_prior(Binomial([5.0], [0.3]), BetaBernoulli([2.0], [3.0])),
        stats.beta(2, 3).logpdf(0.3),
    )
    assert log_prior(pair, [None, None]) == log_prior(pair, None) == 0.0


def test_priors_with_a_pole_are_not_audited():
    assert not is_bounded([None, GammaPoisson(0.5, 1.0)])
    assert is_bounded((NormalInverseGamma(0.0, 1.0, 1.0, 1.0), None))
    start, _, X = CASES["poisson"]
    prior = GammaPoisson([0.5], [0.1])
    model = Mixture(start, priors=[prior, prior], tol=1e-10).fit(X)
    assert model.converged_


def test_a_known_variance_is_taken_before_the_search():
    pair = Product([Normal([1.0], [2.0]), Poisson([3.0])], [[0], [1]])
    moved = supported(pair, [NormalMean([0.0], [1.0], [4.0]), None])
    assert_allclose(moved.parts[0].std, 4.0)
    assert_allclose(moved.parts[0].mean, 1.0)


def test_priors_of_another_family_are_refused():
    with pytest.raises(ValueError, match="Mixture: priors must be a conjugate prior of Poisson"):
        Mixture([Poisson([2.0])], priors=[NormalInverseGamma(0.0, 1.0, 1.0, 1.0)]).fit(COUNTS)
    with pytest.raises(ValueError, match="Mixture: priors must be a conjugate prior of Uniform"):
        Mixture([Uniform(0.0, 99.0)], priors=[GammaPoisson(2.0, 1.0)]).fit(COUNTS)
    with pytest.raises(ValueError, match="Mixture: priors must be priors under which"):
        Mixture([Poisson([0.0])], priors=[GammaPoisson([2.0], [1.0])]).fit(COUNTS * 0)
