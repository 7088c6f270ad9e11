"""How many threads a compiled loop may use."""

from operator import index
from typing import SupportsIndex

from margin import native


def count(n_jobs: SupportsIndex | None = None) -> int:
    """Threads for ``n_jobs``, following joblib's meaning of the number.

    ``None`` means all that the process may use (``OMP_NUM_THREADS`` and
    :func:`threadpoolctl.threadpool_limits` are honoured), a negative number counts back from all.

    Examples
    --------
    >>> count(1)
    1
    """
    available: int = native.max_threads()
    if n_jobs is None:
        return available
    try:
        asked = 0 if isinstance(n_jobs, bool) else index(n_jobs)
    except TypeError:
        asked = 0
    if asked == 0:
        raise ValueError(f"n_jobs must be None or a non-zero integer, got {n_jobs!r}")
    return asked if asked > 0 else max(1, available + 1 + asked)
