"""What can go wrong in inference, by name."""

import numpy as np
from numpy.typing import ArrayLike


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


class UnattainableError(ValueError):
    """Soft evidence that no distribution allowed by the model agrees with.

    Parameters
    ----------
    row : int
        Row of the evidence.
    variable : int
        The soft variable farthest from its target.
    reached, target : array-like
        Distribution that it has, and the one it should have.

    Examples
    --------
    >>> UnattainableError(0, 1, [1.0, 0.0], [0.5, 0.5]).variable
    1
    """

    def __init__(self, row: int, variable: int, reached: ArrayLike, target: ArrayLike) -> None:
        self.row, self.variable = row, variable
        self.reached, self.target = np.asarray(reached), np.asarray(target)
        shown = np.array2string(self.reached, precision=6, threshold=8)
        wanted = np.array2string(self.target, precision=6, threshold=8)
        self.got = f"got {shown} at best where {wanted} is asked"
        super().__init__(
            f"jeffrey: soft evidence must be possible under the model and together, in row {row} "
            f"for variable {variable} {self.got}"
        )


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
