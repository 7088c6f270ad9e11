"""Momentary conditional independence: which moments of the past act on the present."""

from __future__ import annotations

from dataclasses import dataclass

from margin.search.structure._independence import IndependenceTest, TestResult

Lag = tuple[int, int]  # variable, moments before


@dataclass(frozen=True)
class MomentaryTests:
    """Outcome of the two stages.

    Parameters
    ----------
    conditions : tuple of tuple of (variable, lag)
        For each variable the past that was selected as its condition, the strongest first.
    results : dict of (cause, lag, effect) to TestResult
        Tests of the second stage; pairs of one moment have the smaller number first.
    n_tests : int
    """

    conditions: tuple[tuple[Lag, ...], ...]
    results: dict[tuple[int, int, int], TestResult]
    n_tests: int


def momentary_tests(
    test: IndependenceTest, p: int, max_lag: int, alpha: float, same_moment: bool = False
) -> MomentaryTests:
    """Select conditions by tests of growing size, then test every link given those of both ends.

    Parameters
    ----------
    test : IndependenceTest
        Over columns ``lag * p + variable`` with lags up to ``2 * max_lag``.
    p, max_lag : int
    alpha : float
        Level of the first stage; a generous one only adds conditions.
    same_moment : bool
        Whether pairs within a moment are tested too.
    """
    counted = _Counted(test)
    conditions = tuple(_conditions(counted, j, p, max_lag, alpha) for j in range(p))
    results = {}
    for effect in range(p):
        for cause in range(p):
            for lag in range(0 if same_moment and cause < effect else 1, max_lag + 1):
                own = [lag_ * p + v for v, lag_ in conditions[effect] if (v, lag_) != (cause, lag)]
                theirs = [(lag_ + lag) * p + v for v, lag_ in conditions[cause]]
                given = [
                    c for c in dict.fromkeys(own + theirs) if c not in (lag * p + cause, effect)
                ]
                results[cause, lag, effect] = counted(lag * p + cause, effect, given)
    return MomentaryTests(conditions, results, counted.n_tests)


class _Counted:
    def __init__(self, test: IndependenceTest) -> None:
        self.test, self.n_tests = test, 0

    def __call__(self, i: int, j: int, given: list[int]) -> TestResult:
        self.n_tests += 1
        return self.test(i, j, given)


def _conditions(test: _Counted, target: int, p: int, max_lag: int, alpha: float) -> tuple[Lag, ...]:
    left = [(v, lag) for lag in range(1, max_lag + 1) for v in range(p)]
    surest = dict.fromkeys(left, float("inf"))
    size = 0
    while len(left) > size:
        gone = []
        for v, lag in left:
            others = [c for c in left if c != (v, lag)][:size]
            result = test(lag * p + v, target, [lag_ * p + u for u, lag_ in others])
            surest[v, lag] = min(surest[v, lag], abs(result.statistic))
            if result.reliable and result.p_value > alpha:
                gone.append((v, lag))
        left = sorted((c for c in left if c not in gone), key=lambda c: -surest[c])
        size += 1
    return tuple(left)
