"""How much may be added to a diagonal, and in which steps."""

from collections.abc import Iterator

import numpy as np

EPS = float(np.finfo(np.float64).eps)
_GROWTH = 10.0


def jitters(n: int, scale: float, max_jitter: float) -> Iterator[float]:
    r"""Amounts to try on the diagonal of a matrix that may be singular up to rounding.

    First nothing; then :math:`10\,n\,\mathrm{eps}` times the size of the diagonal, just above the
    rounding errors, and tenfold every time; last ``max_jitter`` times that size.

    Parameters
    ----------
    n : int
        Number of rows.
    scale : float
        Size of the diagonal entries.
    max_jitter : float
        Largest amount, relative to ``scale``.

    Examples
    --------
    >>> [f"{amount:.1e}" for amount in jitters(100, 1.0, 1e-11)]
    ['0.0e+00', '2.2e-13', '2.2e-12', '1.0e-11']
    """
    if not 0 <= max_jitter < np.inf:
        raise ValueError(f"linalg: max_jitter must be a number of at least 0, got {max_jitter!r}")
    jitter, largest = 0.0, max_jitter * scale
    yield jitter
    while jitter < largest:
        jitter = min(_GROWTH * max(jitter, max(n, 1) * EPS * scale), largest)
        yield jitter
