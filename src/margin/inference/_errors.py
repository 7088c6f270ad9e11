"""What can go wrong in inference, by name."""


class ZeroProbabilityError(ValueError):
    """The evidence has probability zero: there is no posterior to report.

    Parameters
    ----------
    message : str
    rows : tuple of int
        The rows of evidence that are impossible.

    Examples
    --------
    >>> raise_for = ZeroProbabilityError("evidence row 3 has probability zero", (3,))
    >>> raise_for.rows
    (3,)
    """

    def __init__(self, message: str, rows: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.rows = rows


class MemoryLimitError(MemoryError):
    """Exact inference would need more memory than allowed; refused before any work.

    Parameters
    ----------
    message : str
    clique : tuple of int
        The variables of the largest table.
    bytes_needed : float

    Examples
    --------
    >>> MemoryLimitError("too large", (0, 1), 8e12).clique
    (0, 1)
    """

    def __init__(
        self, message: str, clique: tuple[int, ...] = (), bytes_needed: float = 0.0
    ) -> None:
        super().__init__(message)
        self.clique = clique
        self.bytes_needed = bytes_needed
