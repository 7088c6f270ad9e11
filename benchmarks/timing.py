"""Interleaved timing: every contestant in turn, round after round, in one process."""

import gc
import time
import warnings
from collections.abc import Callable, Mapping
from statistics import median
from typing import Any

PATIENCE = 20.0
"""Seconds after which a contestant is not run again: it has lost anyway."""

MIN_SECONDS = 1.0
"""Short fits are repeated beyond the asked rounds until this much time has gone by."""

PAUSE = 0.05
"""Seconds before each fit: idle threads of a BLAS library spin for about 30 ms before they sleep,
and a contestant must not pay for the threads of the one before."""

EXTRA_ROUNDS = 5
"""At most this many times the asked rounds."""


def quietly(fit: Callable[[], Any]) -> tuple[Any, str]:
    """Run ``fit``; return its result and the first warning it gave, on one line."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fitted = fit()
    first = next(iter(caught), None)
    return fitted, " ".join(str(first.message).split()) if first else ""


def interleave(
    fits: Mapping[str, Callable[[], Any]],
    rounds: int,
    *,
    max_rounds: int | None = None,
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, list[float]]:
    """Seconds of each fit in each round, in the order A B C A B C …

    At least ``rounds`` rounds; more, up to ``EXTRA_ROUNDS`` times as many, while the whole takes
    less than ``MIN_SECONDS`` per contestant, so that a short fit is not judged by luck.
    """
    seconds: dict[str, list[float]] = {name: [] for name in fits}
    limit = min(rounds * EXTRA_ROUNDS, max_rounds or rounds * EXTRA_ROUNDS)
    began = clock()
    for number in range(limit):
        if number >= rounds and clock() - began > MIN_SECONDS * len(fits):
            break
        for name, fit in fits.items():
            if sum(seconds[name]) <= patience:
                seconds[name].append(_one(fit, clock))
    return seconds


def _one(fit: Callable[[], Any], clock: Callable[[], float]) -> float:
    # Collected outside the clock: the garbage of one contestant must not be paid by the next.
    gc.collect()
    time.sleep(PAUSE)
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            began = clock()
            fit()
            return clock() - began
    finally:
        gc.enable()


def summary(seconds: list[float]) -> dict[str, Any]:
    """Best, median and all of the times, rounded to the microsecond."""
    return {
        "best": round(min(seconds), 6),
        "median": round(median(seconds), 6),
        "seconds": [round(second, 6) for second in seconds],
    }
