"""Parameters of a linear dynamical system with inputs."""

from dataclasses import dataclass

import numpy as np

from margin.core.types import Floats
from margin.inference import LinearSystem


@dataclass(frozen=True, eq=False)
class SystemParameters:
    r"""Linear maps, biases and noise of a system with inputs :math:`u_t`.

    .. math:: x_t = A x_{t-1} + B u_t + b + N(0, Q), \qquad y_t = C x_t + D u_t + d + N(0, R)

    Parameters
    ----------
    A, B, b : ndarray of shape (n, n), (n, p) and (n,)
    C, D, d : ndarray of shape (m, n), (m, p) and (m,)
    Q, R : ndarray of shape (n, n) and (m, m)
    mean, cov : ndarray of shape (n,) and (n, n)
        Of the first state.
    """

    A: Floats
    B: Floats
    b: Floats
    C: Floats
    D: Floats
    d: Floats
    Q: Floats
    R: Floats
    mean: Floats
    cov: Floats

    def system(self, U: Floats | None = None) -> LinearSystem:
        """The system that a sequence with these inputs goes through, a row of ``U`` each."""
        with_inputs = U is not None and U.shape[1] > 0
        b = self.b + U @ self.B.T if U is not None and with_inputs else self.b
        d = self.d + U @ self.D.T if U is not None and with_inputs else self.d
        return LinearSystem(self.A, self.C, self.Q, self.R, self.mean, self.cov, b=b, d=d)

    @property
    def state_map(self) -> Floats:
        """``[A, B, b]``, what the regression of states finds."""
        return np.column_stack([self.A, self.B, self.b])

    @property
    def output_map(self) -> Floats:
        """``[C, D, d]``."""
        return np.column_stack([self.C, self.D, self.d])


def split_map(W: Floats, n: int) -> tuple[Floats, Floats, Floats]:
    """The three parts of a map: of the state, of the inputs, and the bias."""
    return W[:, :n].copy(), W[:, n:-1].copy(), W[:, -1].copy()
