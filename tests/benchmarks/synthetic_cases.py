"""A tiny case with one contestant of every fate, for the tests and for the memory child."""

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target


def numbers(n):
    return np.arange(n, dtype=float)


def exact(data):
    return float(data.mean())


def loose(data, tol):
    return float(data.mean()) + tol


def hog(data):
    waste = np.ones(8_000_000)
    return exact(data) + 0.0 * waste[0]


def broken(data):
    raise ArithmeticError("cannot\n  divide")


def spread(data, fitted):
    return float(np.mean((data - fitted) ** 2)) / max(float(np.var(data)), 1.0)


def slope(data, fitted):
    return abs(fitted - float(data.mean()))


TARGET = Target(spread, "spread", 1e-3, slope, "slope", 1e-3)
LADDER = tuple({"tol": tol} for tol in (1.0, 1e-4, 1e-8))

CASES = (
    Case(
        name="mean",
        description="The mean of the first n numbers.",
        make_data=numbers,
        sizes=(
            Size("10", {"n": 10}, 10),
            Size("1 000", {"n": 1000}, 1000, required=True),
        ),
        contestants=(
            Contestant("margin", exact, ours=True),
            Contestant("ladder", loose, settings=LADDER),
            Contestant("hog", hog, binding=False, note="wasteful"),
            Contestant("off", loose, settings=({"tol": 1.0},)),
            Contestant("broken", broken),
            Contestant("absent", exact, requires=("no_such_package",)),
            Contestant("too old", exact, requires=("math:no_such_function",)),
        ),
        target=TARGET,
        required_ratio=0.5,
        required_memory=1.0,
        warm_up={"n": 3},
    ),
)
