"""Matching: every row is compared with those of the other level that are most like it."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.special import logit

from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._scores import Method, Scores
from margin.core import check
from margin.core.types import Bools, Floats, Indices
from margin.neighbors import NearestNeighbors


@dataclass(frozen=True)
class Matching(Method):
    r"""Differences of matched pairs (causal.22).

    .. math:: \hat\tau = \frac1n \sum_i \hat Y_i(1) - \hat Y_i(0)

    where the outcome that was not seen is the mean of the nearest rows of the other level: the
    best guess of the counterfactual.

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
    the regressions leave where there are any; the influence functions are
    the martingale form of Otsu and Rai (2017), so that the bootstrap of weights is valid where
    that of rows is not. Disjoint pairs are independent differences.
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
        """Imputed differences."""
        if len(data.levels) != 2:
            shown = data.levels or f"amounts of {', '.join(data.names)}"
            raise check.fail(data.owner, "treatment", "of two levels for matching", shown)
        e = nuisance.propensities(data) if self.on == "propensity" else None
        places = _places(data, e, self.caliper is not None)
        corrected = self.bias_correction
        if corrected is None:
            corrected = self.on == "covariates" and data.X.shape[1] > 1
        lines = nuisance.outcomes(data) if corrected else np.zeros((data.n, 2))
        if self.replacement:
            return self._with_replacement(data, places, e, lines)
        return self._pairs(data, places, e, lines)

    def _with_replacement(
        self, data: EffectData, P: Floats, e: Floats | None, lines: Floats
    ) -> Scores:
        k, arms, rows = self.n_neighbors, data.codes, np.arange(data.n)
        fewest = data.smallest_arm
        if k > fewest:
            raise check.fail(data.owner, "n_neighbors", f"at most {fewest}, the smaller group", k)
        # What is compared is what the lines leave; what they say is added at the place of the row.
        y = data.y - lines[rows, arms]
        limit = np.inf if self.caliper is None else self.caliper
        nearest = {
            level: partners(P[arms != level], y[arms != level], P[arms == level], k)
            for level in (0, 1)
        }
        imputed, same, noise = np.empty(data.n), np.empty(data.n), np.empty(data.n)
        near = np.ones(data.n, dtype=bool)
        for level, part in nearest.items():
            mine = arms == level
            imputed[mine], near[mine] = part.mean, part.gap <= limit
            same[mine], noise[mine] = alike(P[mine], y[mine])
        w = data.weight * near * (data.population > 0)
        if not w.any():
            raise check.fail(data.owner, "caliper", "wide enough for some pair", self.caliper)
        # How much, and with which squares, a row serves the rows of the other level.
        served, squares = np.zeros(data.n), np.zeros(data.n)
        for level, part in nearest.items():
            served[arms != level] = part.shares(w[arms == level])
            squares[arms != level] = part.shares(w[arms == level], power=2)
        sign = 2.0 * arms - 1.0
        along = sign * (lines[rows, arms] - lines[rows, 1 - arms])
        gain, total = sign * (y - imputed) + along, w.sum()
        tau = float(w @ gain / total)
        extra = (w + served) ** 2 - w**2 - squares
        variance = float(w**2 @ (gain - tau) ** 2 + extra @ noise)
        smooth = sign * (same - imputed) + along
        influence = (w * (smooth - tau) + sign * (w + served) * (y - same)) * data.n / total
        return Scores(
            data.names, np.array([tau]), (influence / data.weight)[:, None],
            _means(data, w, imputed + lines[rows, 1 - arms]), e, (w + served) / data.weight,
            np.array([max(variance, 0.0) / total**2]), _left_out(near),
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


def disjoint_pairs(
    cost: Floats, caliper: float | None = None, pairing: str = "greedy"
) -> tuple[Indices, Indices]:
    """Rows and columns of disjoint pairs of small distance.

    Examples
    --------
    >>> import numpy as np
    >>> cost = np.array([[1.0, 2.0], [2.0, 9.0]])
    >>> [list(map(int, part)) for part in disjoint_pairs(cost)]
    [[0, 1], [0, 1]]
    >>> [list(map(int, part)) for part in disjoint_pairs(cost, pairing="optimal")]
    [[0, 1], [1, 0]]
    """
    limit = np.inf if caliper is None else caliper
    if pairing == "optimal":
        # A pair beyond the caliper costs more than all others together, and is taken out after.
        finite = cost[cost <= limit]
        barred = float(finite.sum() if finite.size else 0.0) + 1.0
        i, j = linear_sum_assignment(np.where(cost <= limit, cost, barred))
        kept = cost[i, j] <= limit
        return i[kept], j[kept]
    order = np.argsort(cost, axis=None, kind="stable")
    rows, columns = np.unravel_index(order, cost.shape)
    free_row, free_column = np.ones(cost.shape[0], bool), np.ones(cost.shape[1], bool)
    chosen: list[tuple[int, int]] = []
    for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
        if cost[i, j] > limit or len(chosen) == min(cost.shape):
            break
        if free_row[i] and free_column[j]:
            free_row[i] = free_column[j] = False
            chosen.append((i, j))
    pairs = np.array(sorted(chosen), dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _places(data: EffectData, e: Floats | None, plain: bool) -> Floats:
    """Points whose distances are compared."""
    if e is not None:
        return e[:, [1]] if plain else np.asarray(logit(np.clip(e[:, [1]], 1e-12, 1 - 1e-12)))
    if not data.X.shape[1]:
        return np.zeros((data.n, 1))
    cov = np.atleast_2d(np.cov(data.X, rowvar=False, aweights=data.weight))
    return np.asarray(np.linalg.solve(np.linalg.cholesky(cov), data.X.T).T)


@dataclass(frozen=True, eq=False)
class Partners:
    """The rows that stand in for others; rows at one place are partners together.

    Parameters
    ----------
    mean : ndarray of shape (n_asked,)
        Mean outcome of the partners.
    gap : ndarray of shape (n_asked,)
        Distance of the farthest.
    place : ndarray of shape (n_asked, k)
        Places of the partners, nearest first, with ``used`` telling how many are needed.
    size : ndarray of shape (n_asked,)
        Number of partners.
    of_row : ndarray
        Place of every row that was searched.
    """

    mean: Floats
    gap: Floats
    place: Indices
    used: Bools
    size: Floats
    of_row: Indices

    def shares(self, weight: Floats, power: int = 1) -> Floats:
        """Sum over the rows served of ``(weight / size) ** power``, for every row searched."""
        each = np.broadcast_to(((weight / self.size) ** power)[:, None], self.used.shape)
        n_places = int(self.of_row.max()) + 1
        sums = np.bincount(self.place[self.used], each[self.used], n_places)
        return np.asarray(sums[self.of_row])


def partners(points: Floats, y: Floats, asked: Floats, k: int) -> Partners:
    """The k nearest of the points, all of those at one place together.

    Examples
    --------
    >>> P = np.array([[0.0], [0.0], [3.0]])
    >>> partners(P, np.array([1.0, 2.0, 9.0]), np.array([[0.1]]), 1).mean
    array([1.5])
    """
    places, of_row, count = _distinct(points)
    sums = np.bincount(of_row, y, len(places))
    gaps, at = NearestNeighbors(n_neighbors=min(k, len(places))).fit(places).kneighbors(asked)
    before = np.cumsum(count[at], axis=1) - count[at]
    used = before < k
    size = (count[at] * used).sum(axis=1).astype(np.float64)
    return Partners(
        (sums[at] * used).sum(axis=1) / size, np.where(used, gaps, 0.0).max(axis=1), at, used,
        size, of_row,
    )  # fmt: skip


def alike(points: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Mean outcome of the nearest others of the same level, and the variance that they show."""
    places, of_row, count = _distinct(points)
    sums = np.bincount(of_row, y, len(places))
    alone = count == 1
    if len(places) > 1:
        at = NearestNeighbors(n_neighbors=2).fit(places).kneighbors(places)[1]
        next_to = np.where(at[:, 0] == np.arange(len(places)), at[:, 1], at[:, 0])
    else:
        next_to = np.zeros(1, dtype=np.int64)
    n_others = np.where(alone, count[next_to], count - 1)[of_row]
    mean = np.where(alone[of_row], sums[next_to][of_row], sums[of_row] - y) / n_others
    return mean, n_others / (n_others + 1) * (y - mean) ** 2


def _distinct(points: Floats) -> tuple[Floats, Indices, Indices]:
    places, of_row, count = np.unique(
        np.round(points, 12), axis=0, return_inverse=True, return_counts=True
    )
    return places, of_row.ravel().astype(np.int64), count.astype(np.int64)


def _means(data: EffectData, w: Floats, imputed: Floats) -> dict[Any, float]:
    y, codes = data.y, data.codes
    shown = {a: np.where(codes == a, y, imputed) for a in (0, 1)}
    return {data.levels[a]: float(w @ shown[a] / w.sum()) for a in (0, 1)}


def _left_out(near: Bools) -> tuple[str, ...]:
    gone = int((~near).sum())
    return (f"{gone} rows have no partner within the caliper",) if gone else ()
