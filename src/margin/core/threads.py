"""How many threads a compiled loop may use."""

from margin import native


def count(n_jobs: int | None = None) -> int:
    """Threads for ``n_jobs``, following joblib's meaning of the number.

    ``None`` means all that the process may use (``OMP_NUM_THREADS`` and
    :func:`threadpoolctl.threadpool_limits` are honoured), a negative number counts back from all.

    Examples
    --------
    >>> count(1)
    1
    """
    available = native.max_threads()
    if n_jobs is None:
        return available
    if isinstance(n_jobs, bool) or n_jobs == 0 or n_jobs != int(n_jobs):
        raise ValueError(f"n_jobs must be None or a non-zero integer, got {n_jobs!r}")
    if n_jobs < 0:
        return max(1, available + 1 + int(n_jobs))
    return int(n_jobs)
