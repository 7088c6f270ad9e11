"""How much faster fits become with more cores, one child process for each number of threads.

``python -m benchmarks.scaling [CASE …] [--threads 1 2 4 8 16]`` prints the best seconds of every
case and, below, how many times as fast as with the fewest threads.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import threads

REPEATS = 2
Fit = Callable[[], Any]


def _two_classes(n: int, p: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, p))
    z = X[:, 0] * X[:, 1] + X[:, 2] ** 2 + X[:, 3:9].sum(axis=1) + rng.normal(size=n)
    return X, (z > 1).astype(int)


def _svc() -> Fit:
    from margin.svm import SVC

    X, y = _two_classes(20_000, 50)
    return lambda: SVC().fit(X, y)


def _linear_discriminant() -> Fit:
    from margin.linear import LinearDiscriminantAnalysis

    X, y = _two_classes(1_000_000, 50)
    return lambda: LinearDiscriminantAnalysis().fit(X, y)


def _quadratic_discriminant() -> Fit:
    from margin.linear import QuadraticDiscriminantAnalysis

    X, y = _two_classes(1_000_000, 50)
    return lambda: QuadraticDiscriminantAnalysis().fit(X, y)


def _process() -> Fit:
    from margin.gp import GaussianProcessRegressor
    from margin.kernels import RBF

    X, y = _two_classes(4_000, 5)
    return lambda: GaussianProcessRegressor(RBF(1.0), method="exact", max_iter=3).fit(X, y)


def _boosting() -> Fit:
    from margin.ensemble import GradientBoostingClassifier

    X, y = _two_classes(1_000_000, 30)
    return lambda: GradientBoostingClassifier(n_estimators=50).fit(X, y)


def _forest() -> Fit:
    from margin.ensemble import RandomForestClassifier

    X, y = _two_classes(100_000, 30)
    return lambda: RandomForestClassifier(random_state=0).fit(X, y)


def _mixture() -> Fit:
    from margin.mixture import GaussianMixture

    X, _ = _two_classes(400_000, 16)
    return lambda: GaussianMixture(8, max_iter=20, tol=0, random_state=0).fit(X)


def _k_means() -> Fit:
    from margin.cluster import KMeans

    X, _ = _two_classes(400_000, 16)
    return lambda: KMeans(50, n_init=1, max_iter=50, random_state=0).fit(X)


CASES = {
    "SVC 20 000 × 50": _svc,
    "LDA 1 000 000 × 50": _linear_discriminant,
    "QDA 1 000 000 × 50": _quadratic_discriminant,
    "exact process 4 000 × 5": _process,
    "boosting 1 000 000 × 30": _boosting,
    "forest 100 000 × 30": _forest,
    "mixture 400 000 × 16": _mixture,
    "k-means 400 000 × 16": _k_means,
}


def best_seconds(name: str, repeats: int = REPEATS) -> float:
    """Best time of a case in this process."""
    fit = CASES[name]()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        fit()
        times.append(time.perf_counter() - began)
    return min(times)


def measured(names: list[str], count: int) -> dict[str, float]:
    """Best times of the cases in a child with so many threads."""
    command = [sys.executable, "-m", "benchmarks.scaling", *names, "--child", str(count)]
    environment = {**os.environ, **dict.fromkeys(threads.VARIABLES, str(count))}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    seconds: dict[str, float] = json.loads(done.stdout)
    return seconds


def main() -> None:
    """Print seconds and gains."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling")
    parser.add_argument("cases", nargs="*", default=list(CASES), metavar="CASE")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    counts = [c for c in (1, 2, 4, 8, 16, 32, 64) if c <= (cores or 1)]
    parser.add_argument("--threads", type=int, nargs="+", default=counts)
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    names = [name for name in CASES if any(name.startswith(case) for case in options.cases)]
    if options.child is not None:
        threads.limit(options.child)
        print(json.dumps({name: best_seconds(name) for name in names}))
        return
    width = max(map(len, names))
    tables = {}
    for count in options.threads:
        tables[count] = measured(names, count)
        for name in names:
            print(f"{name:{width}} {count:3d} threads {tables[count][name]:9.3f} s", flush=True)
    first = tables[options.threads[0]]
    print(f"{'':{width}}", *(f"{count:7d}" for count in tables))
    for name in names:
        gains = (first[name] / seconds[name] for seconds in tables.values())
        print(f"{name:{width}}", *(f"{gain:7.2f}" for gain in gains))


if __name__ == "__main__":
    main()
