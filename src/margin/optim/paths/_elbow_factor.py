"""Linear systems of the rows on the margin, followed as rows come and go."""

import numpy as np
from scipy.linalg import qr_delete, solve_triangular

from margin.core.types import Floats

# Share of its own norm that a row must have outside the affine span of the others.
DEPENDENT = 1e-13
ROOM = 16


class ElbowFactor:
    r"""Factor :math:`K_{EE} = R^\top R` of the rows :math:`E` on the margin.

    Adding and removing a row costs :math:`O(m^2)`. The matrix must hold a positive constant beside
    the kernel: then it is definite if and only if the rows are affinely independent in feature
    space, which is what a machine with a free bias needs.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Symmetric, in C order.
    """

    def __init__(self, K: Floats) -> None:
        self.K = K
        self.rows: list[int] = []
        self._slot: list[int] = []
        self._R = np.empty((0, 0))
        self._kernel_rows = np.empty((ROOM, len(K)))

    def append(self, j: int) -> bool:
        """Add a row; not one in the affine span of the others, which returns ``False``."""
        m = len(self.rows)
        column = self._half(self.K[j, self.rows])
        rest = float(self.K[j, j]) - float(column @ column)
        if rest <= DEPENDENT * float(self.K[j, j]):
            return False
        grown = np.zeros((m + 1, m + 1), order="F")
        grown[:m, :m], grown[:m, m], grown[m, m] = self._R, column, np.sqrt(rest)
        self._R = grown
        if m == len(self._kernel_rows):
            self._kernel_rows = np.resize(self._kernel_rows, (2 * m, len(self.K)))
        self._kernel_rows[m] = self.K[j]
        self.rows.append(j)
        self._slot.append(m)
        return True

    def drop(self, k: int) -> int:
        """Remove the k-th row and return its number."""
        m = len(self.rows)
        if m > 1:
            _, R = qr_delete(
                np.eye(m, order="F"), self._R, k, which="col", overwrite_qr=True, check_finite=False
            )
            self._R = np.asfortranarray(R[: m - 1])
        else:
            self._R = np.empty((0, 0))
        slot = self._slot.pop(k)
        if slot != m - 1:
            self._slot[self._slot.index(m - 1)] = slot
            self._kernel_rows[slot] = self._kernel_rows[m - 1]
        return self.rows.pop(k)

    def solve(self, right: Floats) -> Floats:
        r"""Solution of :math:`K_{EE} x = r` for several right-hand sides."""
        half = self._half(right)
        if not self.rows:
            return half
        return np.asarray(solve_triangular(self._R, half, check_finite=False))

    def products(self, coef: Floats) -> Floats:
        """Kernel values of all rows with those of the factor, times coefficients (m, c)."""
        m = len(self.rows)
        placed = np.empty((coef.shape[1], m))
        placed[:, self._slot] = coef.T
        return np.asarray(placed @ self._kernel_rows[:m])

    def _half(self, right: Floats) -> Floats:
        if not self.rows:
            return right
        return np.asarray(solve_triangular(self._R, right, trans="T", check_finite=False))
