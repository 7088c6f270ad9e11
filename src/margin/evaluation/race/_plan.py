"""Who may run, how thoroughly, until when: sums over seconds, without a clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LEADERS = 3
# Shares of the budget for what follows the race, at least and at most.
_LEAST_RESERVE, _MOST_RESERVE = 0.12, 0.45
# Share of the budget for importances, effects and resamples.
_LOOKS = 0.05
# Seconds for the report, as a share of the budget and at most.
_REPORT = (0.05, 3.0)
# In fits on the rows of a fold: a fit on all rows, and two folds of a learning curve.
_REFIT, _CURVE = 1.5, 5.2


def levels(
    costs: Mapping[str, Mapping[int, float]], pool: float, *, folds: int = 1
) -> dict[str, int]:
    """How thoroughly each model can be tuned when all share a pool of seconds fairly.

    Models are served from the cheapest on, each with an equal share of what is left: what the
    cheap do not need goes to the dear. A model gets the dearest level that its share affords; one
    that cannot afford any is absent.

    Parameters
    ----------
    costs : mapping of str to mapping of int to float
        Seconds of one fold of each model at each level, level 0 being the cheapest.
    pool : float
        Seconds of all workers together.
    folds : int
        Folds that every model wants.

    Examples
    --------
    >>> levels({"a": {0: 1, 9: 2}, "b": {0: 1, 9: 20}, "c": {0: 15, 9: 99}}, 20.0)
    {'a': 9, 'b': 0, 'c': 0}
    """
    chosen: dict[str, int] = {}
    waiting = sorted(costs, key=lambda name: costs[name][0])
    for place, name in enumerate(waiting):
        share = pool / (len(waiting) - place)
        fitting = [n for n, seconds in costs[name].items() if folds * seconds <= share]
        if fitting:
            chosen[name] = max(fitting)
            pool -= folds * costs[name][chosen[name]]
    return chosen


def runners(
    ranked: Sequence[str],
    seconds: Mapping[str, float],
    missing: Mapping[str, int],
    pool: float,
) -> list[str]:
    """Which models take part in the next round, when not all can have all the folds they lack.

    First the leaders, the cheapest of them first, so that a slow leader starves no other; then
    the rest from the best on, as long as all their missing folds fit. A leader also runs when
    only some of its folds fit.

    Parameters
    ----------
    ranked : sequence of str
        Models that are still in, best first.
    seconds : mapping of str to float
        Seconds of a fold of each.
    missing : mapping of str to int
        Folds that each lacks.
    pool : float
        Seconds of all workers together.

    Examples
    --------
    >>> cost = {"slow": 30.0, "quick": 1.0, "fair": 2.0, "last": 9.0}
    >>> runners(list(cost), cost, dict.fromkeys(cost, 4), 60.0)
    ['quick', 'fair', 'slow']
    """
    first = sorted(ranked[:LEADERS], key=lambda name: seconds[name])
    chosen = []
    for name in [*first, *ranked[LEADERS:]]:
        need = seconds[name] * missing[name]
        if need <= pool or (name in first and seconds[name] <= pool):
            chosen.append(name)
            pool = max(pool - need, 0.0)
    return chosen


def reserve(
    budget: float,
    *,
    fit: float = 0.0,
    tuned: float = 0.0,
    held_out: int = 0,
    settled: bool = True,
) -> float:
    """Seconds to keep for fitting the winner again, testing it and writing the report.

    As long as the leaders lack folds, which say how sure the answer is, nothing is kept for a
    learning curve nor for another search of the winner's setting. The fit itself is always kept.

    Parameters
    ----------
    budget : float
        Seconds for everything.
    fit : float
        Seconds of a fit and prediction of the model that leads.
    tuned : float
        Seconds of one of its folds, tuning included.
    held_out : int
        Folds that residuals, or probabilities to calibrate, are predicted from.
    settled : bool
        Whether the leaders have the folds they want.

    Examples
    --------
    >>> reserve(60.0), round(reserve(60.0, fit=1.0, tuned=3.0), 2), reserve(60.0, fit=9.0)
    (10.2, 15.7, 27.0)
    >>> reserve(60.0, fit=2.0, tuned=9.0, held_out=3, settled=False)
    15.0
    """
    fits = (_REFIT + held_out) * fit + (tuned + _CURVE * fit if settled else 0.0)
    needed = max(_LEAST_RESERVE * budget, fits + _LOOKS * budget) + report_seconds(budget)
    return max(min(needed, _MOST_RESERVE * budget), refit_reserve(budget, fit))


def refit_reserve(budget: float, fit: float) -> float:
    """Seconds without which a model cannot win: those of its fit on all rows and of the report.

    Examples
    --------
    >>> refit_reserve(60.0, fit=10.0)
    18.0
    """
    return _REFIT * fit + report_seconds(budget)


def report_seconds(budget: float) -> float:
    """Seconds of the budget that belong to whoever writes the report.

    Examples
    --------
    >>> report_seconds(60.0), report_seconds(10.0)
    (3.0, 0.5)
    """
    return min(_REPORT[0] * budget, _REPORT[1])
