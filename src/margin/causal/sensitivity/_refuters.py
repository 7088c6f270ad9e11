"""Attempts to break an estimate."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import expit
from scipy.stats import norm

from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._intervals import is_between, poisson_sums
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._scores import Method, Scores
from margin.core import check
from margin.core.types import Floats

Rng = np.random.Generator


@dataclass(frozen=True, eq=False)
class Refutation:
    """What became of an estimate under one attempt.

    Parameters
    ----------
    kind : str
    effect : float
        The estimate (the first, where there are several).
    refuted_effect : float
        Mean over the repetitions.
    std_error : float
        Deviation between them.
    expected : float
        What a sound estimate would give.
    p_value : float
        Two-sided, of the expected value; large is good. NaN where nothing is expected.
    """

    kind: str
    effect: float
    refuted_effect: float
    std_error: float
    expected: float
    p_value: float

    @property
    def passed(self) -> bool:
        """Whether the attempt failed to break the estimate."""
        return not self.p_value < 0.05


def hidden_cause(data: EffectData, rng: Rng, strength: float) -> EffectData:
    """A confounder that raised the treatment and the outcome and is not adjusted for."""
    u = rng.standard_normal(data.n)
    y = data.y + strength * data.y.std() * u
    if data.arms is None:
        return replace(data, y=y, t=data.t + strength * data.t.std(axis=0) * u[:, None])
    # Some rows change level, more of them up where the cause is high.
    chance = np.clip(strength * (2 * expit(3 * np.abs(u)) - 1), 0, 1)
    moved = rng.random(data.n) < chance
    arms = np.where(moved, np.where(u > 0, len(data.levels) - 1, 0), data.arms)
    return replace(data.assigned(arms), y=y)


KINDS = ("placebo", "random_cause", "subset", "hidden_cause")


def refuted(
    method: Method,
    data: EffectData,
    nuisance: Nuisance,
    scores: Scores,
    kinds: Any = KINDS,
    n_repeats: int = 20,
    strength: float = 0.1,
    rng: Any = None,
) -> tuple[Refutation, ...]:
    r"""Several attempts to break an estimate.

    Subsets need no fits: the estimate of a random half differs from that of all rows by the sum of
    its influence functions, so that all repetitions are one product of matrices. Shuffled
    treatments and further columns go to the method all together; where it knows the sums that
    matter, nothing is fitted again. The mean of the repetitions is held against what is
    expected, :math:`z = (\bar\theta - \theta_0) / \max(s, s_b)`, where :math:`s` is the error of
    the estimate and :math:`s_b` the deviation between repetitions.
    """
    rng = np.random.default_rng(rng)
    names = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    for name in names:
        if name not in KINDS:
            raise check.fail("refute", "kinds", f"among {KINDS}", name)
    if n_repeats not in range(1, 10**6):
        raise check.fail("refute", "n_repeats", "an integer of at least 1", n_repeats)
    if not is_between(strength, -1e-300, 1.0):
        raise check.fail("refute", "strength", "a number from 0 to below 1", strength)
    first = float(scores.values[0])
    error = 0.0
    if scores.influence is not None:
        error = float(np.sqrt(np.mean((scores.influence[:, 0] * data.weight) ** 2) / data.n))
    return tuple(
        _judged(
            name,
            first,
            _draws(name, method, data, nuisance, scores, n_repeats, strength, rng),
            error,
        )
        for name in names
    )


def _draws(
    name: str, method: Method, data: EffectData, nuisance: Nuisance, scores: Scores,
    n_repeats: int, strength: float, rng: Rng,
) -> Floats:  # fmt: skip
    """Estimates of the repetitions of one attempt."""
    if name == "placebo":
        orders = np.stack([rng.permutation(data.n) for _ in range(n_repeats)])
        return method.placebos(data, nuisance, scores, orders)
    if name == "random_cause":
        columns = rng.standard_normal((data.n, n_repeats))
        return method.with_columns(data, nuisance, scores, columns)
    if name == "hidden_cause":
        changed = (hidden_cause(data, rng, strength) for _ in range(n_repeats))
        return method.estimates(changed, nuisance)
    if scores.influence is not None:
        first = float(scores.values[0])
        return first + _subsets(scores.influence[:, :1] * data.weight[:, None], n_repeats, rng)
    parts = [np.flatnonzero(rng.random(data.n) < 0.5) for _ in range(n_repeats)]
    return method.estimates((data.rows(part) for part in parts), nuisance)


def _subsets(rows: Floats, n_repeats: int, rng: Rng) -> Floats:
    # Poisson weights less one have the variance of drawing a random half against the other.
    return poisson_sums(rows / len(rows), n_repeats, rng)[:, 0]


def _judged(name: str, effect: float, draws: Floats, error: float) -> Refutation:
    mean, spread = float(draws.mean()), float(draws.std(ddof=1)) if len(draws) > 1 else 0.0
    if name == "hidden_cause":
        return Refutation(name, effect, mean, spread, np.nan, np.nan)
    expected = 0.0 if name == "placebo" else effect
    scale = max(spread, error)
    p = 2 * norm.sf(abs(mean - expected) / scale) if scale > 0 else float(mean == expected)
    return Refutation(name, effect, mean, spread, expected, float(p))
