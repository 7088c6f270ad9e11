"""Which movements of the points a kernel does not see."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.random import generator
from margin.kernels._base import Floats, Kernel


@dataclass(frozen=True)
class InvarianceReport:
    """Largest relative changes of a kernel matrix when all points are moved (kernels.24).

    A change of the order of rounding means that the kernel is invariant.

    Parameters
    ----------
    translation, rotation, reflection, permutation, scaling : float
        Largest change under random translations, rotations, sign changes of columns, exchanges of
        columns, and stretching by a common factor.
    """

    translation: float
    rotation: float
    reflection: float
    permutation: float
    scaling: float

    @property
    def invariances(self) -> tuple[str, ...]:
        """Names of the movements that change nothing."""
        changes = vars(self)
        return tuple(name for name in changes if changes[name] < 1e-8)

    def __str__(self) -> str:
        return "invariant to " + (", ".join(self.invariances) or "nothing tried")


def invariances(
    kernel: Kernel, n_columns: int = 2, *, n_points: int = 12, n_trials: int = 5, rng: Any = None
) -> InvarianceReport:
    """Test a kernel of vectors for invariance to movements of the points (kernels.24).

    Parameters
    ----------
    kernel : Kernel
        A kernel of vectors.
    n_columns : int
        Columns of the tables it is tried on, at least 2 for rotations to mean anything.
    n_points, n_trials : int
        Random points and movements.
    rng : None, int or Generator
        Source of randomness.

    Examples
    --------
    >>> from margin.kernels import RBF, Polynomial
    >>> print(invariances(RBF(1.0), rng=0))
    invariant to translation, rotation, reflection, permutation
    >>> print(invariances(Polynomial(2), rng=0))
    invariant to rotation, reflection, permutation
    """
    draw = generator(rng)
    worst = dict.fromkeys(("translation", "rotation", "reflection", "permutation", "scaling"), 0.0)
    for _ in range(n_trials):
        X = draw.uniform(0.2, 1.8, size=(n_points, n_columns))
        moved = {
            "translation": X + draw.normal(size=n_columns),
            "rotation": X @ _rotation(n_columns, draw),
            "reflection": X * draw.choice([-1.0, 1.0], size=n_columns),
            "permutation": X[:, np.roll(np.arange(n_columns), 1)],
            "scaling": X * draw.uniform(1.5, 3.0),
        }
        K = kernel(X)
        for name, points in moved.items():
            try:
                change = float(np.abs(kernel(points) - K).max() / np.abs(K).max())
            except ValueError:  # the kernel refuses such points, as the intersection of negatives
                change = np.inf
            worst[name] = max(worst[name], change)
    return InvarianceReport(**worst)


def _rotation(n: int, draw: np.random.Generator) -> Floats:
    """A random rotation: orthogonal with determinant one."""
    Q, R = np.linalg.qr(draw.normal(size=(n, n)))
    Q = Q * np.sign(np.diagonal(R))
    if np.linalg.det(Q) < 0:
        Q[:, 0] = -Q[:, 0]
    return np.asarray(Q)
