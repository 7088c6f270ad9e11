"""The same work for many things: several at a time, or one after the other."""

from collections.abc import Callable, Iterable
from typing import Any

from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed


def by_threads(
    work: Callable[..., Any], calls: Iterable[tuple[Any, ...]], n_jobs: int | None, verbose: int = 0
) -> list[Any]:
    """Answers of ``work(*call)`` in the order of the calls, ``n_jobs`` of them at a time.

    Compiled loops release the interpreter's lock, so threads spare the copies of the data. Where
    only one job is asked for, here and by joblib's context, nothing is started.

    Examples
    --------
    >>> by_threads(pow, [(2, 3), (3, 2)], 1)
    [8, 9]
    """
    if not verbose and effective_n_jobs(n_jobs) == 1:
        return [work(*call) for call in calls]
    run = Parallel(n_jobs=n_jobs, verbose=verbose, prefer="threads")
    return list(run(delayed(work)(*call) for call in calls))
