"""Priors from the data of several groups: maximum likelihood of the second kind."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from margin.core import FitError, check
from margin.core.types import Bools, Floats
from margin.distributions.conjugate._normal_mean import NormalMean

_POSITIVE = {"a", "b", "concentration", "rate", "strength", "shape", "scale", "std"}
_FREE = {"mean"}


class EvidenceFit(NamedTuple):
    """The prior of the largest evidence, and that evidence."""

    prior: Any
    log_evidence: float


def empirical_bayes(prior: Any, groups: Sequence[Any]) -> EvidenceFit:
    r"""Prior under which the data of all groups are most probable (distributions.30).

    .. math:: \hat\eta = \arg\max_\eta \sum_g \log \int p(D_g \mid \theta)\, p(\theta \mid \eta)\,
              d\theta

    Each group has parameters of its own, drawn from the common prior; the noise of a
    :class:`NormalMean` stays as it is.

    Parameters
    ----------
    prior : belief
        Where to begin: BetaBernoulli, DirichletCategorical, GammaPoisson, GammaExponential,
        NormalInverseGamma or NormalMean.
    groups : sequence
        Statistics, or rows, of each group; at least two.

    Raises
    ------
    FitError
        If the evidence grows without end: groups that do not differ more than chance explains
        want a prior without any spread.

    Examples
    --------
    >>> from margin.distributions import Binomial, BetaBernoulli
    >>> groups = [Binomial.statistics([k], n=10) for k in (1, 2, 4, 6, 7, 9)]
    >>> empirical_bayes(BetaBernoulli(1.0, 1.0), groups).prior
    BetaBernoulli(a=1.7527, b=1.8716)
    """
    owner = "empirical_bayes"
    if len(groups) < 2:
        raise check.fail(owner, "groups", "at least two", len(groups))
    names = [field.name for field in fields(prior) if field.name in _POSITIVE | _FREE]
    if not names or not hasattr(prior, "log_evidence"):
        raise check.fail(owner, "prior", "a conjugate belief", prior)
    start = [np.asarray(getattr(prior, name), dtype=np.float64) for name in names]
    sizes = np.cumsum([value.size for value in start])[:-1]
    logs: Bools = np.concatenate(
        [np.full(v.size, name in _POSITIVE) for name, v in zip(names, start, strict=True)]
    )
    fixed = {f.name: getattr(prior, f.name) for f in fields(prior) if f.name not in names}

    def belief(vector: Floats) -> Any:
        values = np.where(logs, np.exp(np.where(logs, vector, 0.0)), vector)
        parts = np.split(values, sizes)
        given = {n: p.reshape(s.shape) for n, p, s in zip(names, parts, start, strict=True)}
        return type(prior)(**given, **fixed)

    def objective(vector: Floats) -> float:
        if np.abs(vector[logs]).max(initial=0.0) > 40:
            return np.inf
        at = belief(vector)
        return -float(sum(np.sum(at.log_evidence(group)) for group in groups))

    flat = np.concatenate([v.ravel() for v in start])
    vector = np.where(logs, np.log(np.where(logs, flat, 1.0)), flat)
    search = minimize(objective, vector, method="L-BFGS-B", options={"maxiter": 1000})
    polish = minimize(
        objective, search.x, method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-10}
    )
    if np.abs(polish.x[logs]).max(initial=0.0) > 16:
        raise FitError(
            f"{owner}: groups must differ by more than chance, got an evidence that grows without "
            f"end towards {belief(polish.x)!r}"
        )
    return EvidenceFit(belief(polish.x), -float(polish.fun))


def empirical_bayes_steps(prior: NormalMean, groups: Sequence[Any], n_steps: int) -> EvidenceFit:
    r"""The same for a :class:`NormalMean` by steps of expectation maximisation.

    (distributions.30.) Each step puts mean and variance of the prior to those of the groups'
    posteriors; the evidence never falls.

    Parameters
    ----------
    prior : NormalMean
    groups : sequence
        Statistics, or observations, of each group.
    n_steps : int

    Examples
    --------
    >>> groups = [[1.0, 2.0], [5.0, 6.0], [9.0, 9.0]]
    >>> empirical_bayes_steps(NormalMean(0.0, 1.0, 1.0), groups, 200).prior
    NormalMean(mean=5.3333, std=2.9814, noise=1.)
    """
    belief = prior
    for _ in range(n_steps):
        after = [belief.posterior(group) for group in groups]
        means = np.array([a.mean for a in after])
        centre = means.mean(axis=0)
        var = np.mean([a.std**2 + (a.mean - centre) ** 2 for a in after], axis=0)
        belief = NormalMean(centre, np.sqrt(var), belief.noise)
    return EvidenceFit(belief, float(sum(np.sum(belief.log_evidence(g)) for g in groups)))
