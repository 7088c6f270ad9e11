"""How many threads a compiled loop may use."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from operator import index
from threading import Lock
from typing import Any, SupportsIndex

from threadpoolctl import ThreadpoolController

from margin import native

_LOCK = Lock()
_LIMITS: list[Any] = []  # one entry per block within, the first of which holds the limit


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


@contextmanager
def single_blas() -> Iterator[None]:
    """A block whose matrix products use one thread: for work too small to be shared.

    Blocks may overlap in several threads; the last to end gives the threads back.

    Examples
    --------
    >>> import numpy as np
    >>> with single_blas():
    ...     product = np.eye(2) @ np.eye(2)
    """
    with _LOCK:
        _LIMITS.append(None if _LIMITS else _libraries().limit(limits=1, user_api="blas"))
    try:
        yield
    finally:
        with _LOCK:
            if len(_LIMITS) == 1:
                _LIMITS.pop().restore_original_limits()
            else:
                _LIMITS.pop()


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()
