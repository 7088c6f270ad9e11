"""How many rows a dense matrix is made for, and whether it fits into memory."""

from margin.core import memory

EXACT_ROWS = 2000


def fits(owner: str, n: int, advice: str = "use method='variational' or 'fitc'") -> None:
    """Refuse a matrix that would not fit, before it is made, with advice on what to do.

    Parameters
    ----------
    owner : str
        Class that is fitted.
    n : int
        Rows of the matrix; three of them are needed.
    advice : str
        What a person can do, in the imperative.

    Examples
    --------
    >>> fits("KernelRidge", 10**9)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    MemoryError: KernelRidge: an exact fit of 1000000000 rows needs about 24000000000.0 GB, ...
    """
    need, free = 3 * 8 * n * n, memory.available()
    if free is not None and need > free:
        raise MemoryError(
            f"{owner}: an exact fit of {n} rows needs about {need / 1e9:.1f} GB, "
            f"{free / 1e9:.1f} GB are free; {advice}"
        )
