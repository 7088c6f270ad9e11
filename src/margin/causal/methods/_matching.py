"""Matching: every row is compared with those of the other level that are most like it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import logit

from margin.causal.methods._disjoint_pairs import disjoint_pairs
from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._estimated_propensity import variance_saved
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._partners import Partners, alike, partners
from margin.causal.methods._scores import Method, Scores
from margin.core import check
from margin.core.types import Bools, Floats


@dataclass(frozen=True)
class Matching(Method):
    r"""Differences of matched pairs (causal.22).

    .. math:: \hat\tau = \frac1n \sum_i \hat Y_i(1) - \hat Y_i(0)

    where the outcome that was not seen is the mean of the nearest rows of the other level: the
    best guess of the counterfactual. Of several levels each outcome is imputed for all rows of the
    others, near in the propensity of that level (Yang et al., 2016) or in the covariates.

    Parameters
    ----------
    on : {"propensity", "covariates"}, default="propensity"
        Distance: of the log-odds of the propensity, or Mahalanobis' of the covariates.
    n_neighbors : int, default=1
        Partners of a row, with replacement.
    caliper : float or None, default=None
        Largest distance of partners (of propensities: difference of the probabilities); rows
        without a partner are left out.
    replacement : bool, default=True
        Whether a row may serve several; otherwise pairs are disjoint and the effect is that of
        the rows that found a partner: of the treated, or with target "atc" of the untreated, where
        those are not the larger group.
    pairing : {"greedy", "optimal"}, default="greedy"
        Without replacement: nearest pairs first, or those of least total distance.
    bias_correction : bool, optional
        Whether what partners differ by in their covariates is taken off by a regression for each
        level (Abadie and Imbens, 2011). By default where there is more than one covariate to be
        near in: the bias is then not of smaller order than the error.

    Notes
    -----
    With replacement the errors are those of Abadie and Imbens (2006), whose variances are of what
    the regressions leave where there are any; for the effect of all rows of two levels, less what
    is gained because the logistic propensity was estimated (Abadie and Imbens, 2016). The influence
    functions are the martingale form of Otsu and Rai (2017), brought to that size, so that the
    bootstrap of weights is valid where that of rows is not. Disjoint pairs are independent
    differences.
    """

    on: str = "propensity"
    n_neighbors: int = 1
    caliper: float | None = None
    replacement: bool = True
    pairing: str = "greedy"
    bias_correction: bool | None = None
    title: ClassVar[str] = "matching"

    def __post_init__(self) -> None:
        check.params(
            self, count="n_neighbors", flag="replacement",
            one_of={
                "on": ("propensity", "covariates"), "pairing": ("greedy", "optimal"),
                "bias_correction": (None, True, False),
            },
        )  # fmt: skip
        if self.caliper is not None:
            check.params(self, positive="caliper")
        if not self.replacement and self.n_neighbors != 1:
            raise check.fail(self, "n_neighbors", "1 without replacement", self.n_neighbors)

    @property
    def reaches_out(self) -> bool:
        """The nearest of the covariates may be far away."""
        return self.on == "covariates"

    def scores(self, data: EffectData, nuisance: Nuisance) -> Scores:
        """Imputed outcomes under every level, and their differences from those of the baseline."""
        if len(data.levels) < 2:
            shown = f"amounts of {', '.join(data.names)}"
            raise check.fail(data.owner, "treatment", "of levels for matching", shown)
        if len(data.levels) > 2 and not self.replacement:
            raise check.fail(data.owner, "replacement", "True for more than two levels", False)
        e = nuisance.propensities(data) if self.on == "propensity" else None
        corrected = self.bias_correction
        if corrected is None:
            corrected = self.on == "covariates" and data.X.shape[1] > 1
        lines = nuisance.outcomes(data) if corrected else np.zeros((data.n, len(data.levels)))
        if self.replacement:
            everyone = self.caliper is None and data.target == "ate"
            saved = 0.0
            if e is not None and everyone and nuisance.is_logistic(data):
                saved = variance_saved(data, e[:, 1])
            return self._with_replacement(data, e, lines, saved)
        return self._pairs(data, _places(data, e, self.caliper is not None), e, lines)

    def _with_replacement(
        self, data: EffectData, e: Floats | None, lines: Floats, saved: float
    ) -> Scores:
        k, arms, fewest = self.n_neighbors, data.codes, data.smallest_arm
        if k > fewest:
            raise check.fail(data.owner, "n_neighbors", f"at most {fewest}, the smaller group", k)
        limit = np.inf if self.caliper is None else self.caliper
        plain = self.caliper is not None
        several = e is not None and len(data.levels) > 2
        common = None if several else _places(data, e, plain)
        own = data.y - lines[np.arange(data.n), arms]
        imputed = [
            _Imputed.by_matching(
                _places(data, e, plain, level) if common is None else common, own, arms == level, k
            )
            for level in range(len(data.levels))
        ]
        near = np.all([part.gap <= limit for part in imputed], axis=0)
        w = data.weight * near * (data.population > 0)
        if not w.any():
            raise check.fail(data.owner, "caliper", "wide enough for some pair", self.caliper)
        total = w.sum()
        served = [part.served(w) for part in imputed]
        balancing = w + np.sum(served, axis=0)
        Y = np.column_stack([part.outcome for part in imputed]) + lines
        smooth = np.column_stack([part.smooth for part in imputed]) + lines
        gain, along = Y[:, 1:] - Y[:, :1], smooth[:, 1:] - smooth[:, :1]
        tau = w @ gain / total
        rest = np.column_stack(
            [np.where(part.mine, balancing * (own - part.smooth), 0.0) for part in imputed]
        )
        extra = np.array([part.extra_noise(w, serving) for part, serving in zip(
            imputed, served, strict=True)])  # fmt: skip
        variance = np.maximum(w**2 @ (gain - tau) ** 2 + extra[1:] + extra[0], 0.0) / total**2
        variance = np.where(variance > saved, variance - saved, variance)
        influence = w[:, None] * (along - tau) + rest[:, 1:] - rest[:, :1]
        # Single rows stand for expectations there: the squares are right up to their size.
        size = np.sqrt((influence**2).sum(axis=0)) / total
        influence *= np.sqrt(variance) / np.where(size > 0, size, 1.0)
        return Scores(
            data.names, tau, influence * (data.n / total) / data.weight[:, None],
            {level: float(w @ Y[:, a] / total) for a, level in enumerate(data.levels)}, e,
            balancing / data.weight, variance, _left_out(near),
        )  # fmt: skip

    def _pairs(self, data: EffectData, P: Floats, e: Floats | None, lines: Floats) -> Scores:
        data.smallest_arm  # noqa: B018  refuses an arm of one row
        treated, control = (np.flatnonzero(data.codes == level) for level in (1, 0))
        asked = control if data.target == "atc" else treated
        if data.target != "ate" and self.caliper is None and 2 * len(asked) > data.n:
            need = f"True for target {data.target!r}, whose rows are the larger group"
            raise check.fail(data.owner, "replacement", need, False)
        if len(treated) * len(control) > 50_000_000:
            raise check.fail(data.owner, "replacement", "True for so many pairs", data.n)
        cost = np.sqrt(np.maximum(((P[treated, None] - P[None, control]) ** 2).sum(axis=2), 0.0))
        i, j = disjoint_pairs(cost, self.caliper, self.pairing)
        if not len(i):
            raise check.fail(data.owner, "caliper", "wide enough for some pair", self.caliper)
        a, b = treated[i], control[j]
        untreated = int(data.target == "atc")
        own = b if untreated else a
        # The partner is moved to the covariates of the row that asked for it.
        moved = lines[b, untreated] - lines[a, untreated]
        w, gain = data.weight[own], data.y[a] - data.y[b] + moved
        tau = float(w @ gain / w.sum())
        influence, balancing = np.zeros((data.n, 1)), np.zeros(data.n)
        influence[own, 0] = w / data.weight[own] * (gain - tau) * data.n / w.sum()
        balancing[a], balancing[b] = w / data.weight[a], w / data.weight[b]
        seen = float(w @ data.y[own] / w.sum())
        pair = (seen, seen + tau) if untreated else (seen - tau, seen)
        gone, whose = len(asked) - len(i), "untreated" if untreated else "treated"
        notes = [f"the effect is that of the {whose} rows with a partner"]
        notes += [f"{gone} {whose} rows have no partner"] if gone else []
        return Scores(
            data.names, np.array([tau]), influence, dict(zip(data.levels, pair, strict=True)), e,
            balancing, notes=tuple(notes), pairs=np.column_stack([a, b]),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Imputed:
    """Outcomes of all rows under one level: their own, or those of the nearest rows that have it.

    Parameters
    ----------
    mine : ndarray of bool
        Rows of the level.
    outcome, smooth : ndarray of shape (n,)
        Their outcomes; and what the nearest other row of the level shows in place of an own one.
    noise : ndarray of shape (n,)
        Variances of the rows of the level, zero elsewhere.
    gap : ndarray of shape (n,)
        Distance of the farthest partner, zero for rows of the level.
    partners : Partners
        Those of the other rows.
    """

    mine: Bools
    outcome: Floats
    smooth: Floats
    noise: Floats
    gap: Floats
    partners: Partners

    @classmethod
    def by_matching(cls, P: Floats, y: Floats, mine: Bools, k: int) -> "_Imputed":
        """Search among the rows of the level for partners of the others."""
        served = partners(P[mine], y[mine], P[~mine], k)
        same, variance = alike(P[mine], y[mine])
        outcome, gap, noise = y.copy(), np.zeros(len(y)), np.zeros(len(y))
        outcome[~mine], gap[~mine], noise[mine] = served.mean, served.gap, variance
        smooth = outcome.copy()
        smooth[mine] = same
        return cls(mine, outcome, smooth, noise, gap, served)

    def served(self, w: Floats) -> Floats:
        """How much each row of the level serves the others; rows of other levels nothing."""
        return self._shared(w, 1)

    def extra_noise(self, w: Floats, served: Floats) -> float:
        """Variance that the squares of the differences lack, because rows serve several."""
        return float(((w + served) ** 2 - w**2 - self._shared(w, 2)) @ self.noise)

    def _shared(self, w: Floats, power: int) -> Floats:
        shares = np.zeros(len(w))
        shares[self.mine] = self.partners.shares(w[~self.mine], power)
        return shares


def _places(data: EffectData, e: Floats | None, plain: bool, level: int = 1) -> Floats:
    """Points whose distances are compared for partners of a level.

    Of several levels each has its own propensity (Yang et al., 2016); of two they are one.
    """
    if e is not None:
        chance = e[:, [level]]
        return chance if plain else np.asarray(logit(np.clip(chance, 1e-12, 1 - 1e-12)))
    if not data.X.shape[1]:
        return np.zeros((data.n, 1))
    cov = np.atleast_2d(np.cov(data.X, rowvar=False, aweights=data.weight))
    return np.asarray(np.linalg.solve(np.linalg.cholesky(cov), data.X.T).T)


def _left_out(near: Bools) -> tuple[str, ...]:
    gone = int((~near).sum())
    return (f"{gone} rows have no partner within the caliper",) if gone else ()
