"""A linear Gaussian state-space model as a value."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.native.filters.kalman import Arrays


@dataclass(frozen=True, eq=False)
class LinearSystem:
    r"""A hidden state that moves linearly and is seen through a matrix (sequence.32).

    .. math:: x_0 \sim N(m, P), \qquad x_t = A_t x_{t-1} + b_t + N(0, Q_t), \qquad
              y_t = C_t x_t + d_t + N(0, R_t)

    Every parameter is one for all steps, or has a first axis with one for every row of the data:
    biases, inputs and matrices that change with time are all written this way.

    Parameters
    ----------
    A : array-like of shape (n, n) or (rows, n, n)
        Transition into a row from the one before; that of a first row is not used.
    C : array-like of shape (m, n) or (rows, m, n)
    Q : array-like of shape (n, n) or (rows, n, n)
        Covariance of the noise of the state, positive semi-definite.
    R : array-like of shape (m, m) or (rows, m, m)
        Covariance of the noise of what is seen, positive semi-definite.
    mean : array-like of shape (n,), optional
        Zeros by default.
    cov : array-like of shape (n, n), optional
        Zeros by default.
    b : array-like of shape (n,) or (rows, n), optional
    d : array-like of shape (m,) or (rows, m), optional
    diffuse : array-like of shape (n, n), optional
        Covariance of a part of the first state whose variance is without bound:
        :math:`P + \kappa D` as :math:`\kappa \to \infty`, taken exactly.

    Examples
    --------
    >>> walk = LinearSystem([[1.0]], [[1.0]], [[1.0]], [[1.0]], diffuse=[[1.0]])
    >>> walk.n_states, walk.n_outputs, walk.constant
    (1, 1, True)
    """

    A: Floats
    C: Floats
    Q: Floats
    R: Floats
    mean: Floats
    cov: Floats
    b: Floats
    d: Floats
    diffuse: Floats | None

    def __init__(
        self,
        A: ArrayLike,
        C: ArrayLike,
        Q: ArrayLike,
        R: ArrayLike,
        mean: ArrayLike | None = None,
        cov: ArrayLike | None = None,
        *,
        b: ArrayLike | None = None,
        d: ArrayLike | None = None,
        diffuse: ArrayLike | None = None,
    ) -> None:
        rows = np.asarray(C, dtype=np.float64)
        if rows.ndim not in (2, 3) or 0 in rows.shape:
            raise check.fail(self, "C", "of shape (m, n) or (rows, m, n)", f"shape {rows.shape}")
        m, n = rows.shape[-2:]
        parts = {
            "A": _matrix("A", A, (n, n)),
            "C": _matrix("C", rows, (m, n)),
            "Q": _covariance("Q", Q, n),
            "R": _covariance("R", R, m),
            "mean": _matrix("mean", np.zeros(n) if mean is None else mean, (n,), single=True),
            "cov": _covariance("cov", np.zeros((n, n)) if cov is None else cov, n, single=True),
            "b": _matrix("b", np.zeros(n) if b is None else b, (n,)),
            "d": _matrix("d", np.zeros(m) if d is None else d, (m,)),
            "diffuse": None if diffuse is None else _covariance("diffuse", diffuse, n, single=True),
        }
        for name, value in parts.items():
            object.__setattr__(self, name, value)

    @property
    def n_states(self) -> int:
        """Entries of the state."""
        return int(self.C.shape[-1])

    @property
    def n_outputs(self) -> int:
        """Numbers seen at a step."""
        return int(self.C.shape[-2])

    @property
    def constant(self) -> bool:
        """Whether no parameter changes with time."""
        matrices = (self.A, self.C, self.Q, self.R)
        return all(p.ndim == 2 for p in matrices) and self.b.ndim == self.d.ndim == 1

    def with_(self, **changes: Any) -> "LinearSystem":
        """The same system but for some parameters."""
        return replace(self, **changes)

    def at(self, row: int) -> "LinearSystem":
        """The constant system of one row of the data."""

        def pick(value: Floats, ndim: int) -> Floats:
            return value if value.ndim == ndim else value[row]

        return self.with_(
            **{name: pick(getattr(self, name), 2) for name in ("A", "C", "Q", "R")},
            b=pick(self.b, 1),
            d=pick(self.d, 1),
        )

    def arrays(self) -> Arrays:
        """What the compiled loops take."""
        rank = 0
        if self.diffuse is not None:
            rank = int(np.linalg.matrix_rank(self.diffuse, hermitian=True))
        return Arrays(
            _stack(self.A, 3),
            _stack(self.Q, 3),
            _stack(self.C, 3),
            _stack(self.R, 3),
            _stack(self.b, 2),
            _stack(self.d, 2),
            self.mean,
            self.cov,
            self.diffuse,
            rank,
        )


def _stack(value: Floats, ndim: int) -> Floats:
    return np.ascontiguousarray(value if value.ndim == ndim else value[None])


def _matrix(name: str, given: ArrayLike, shape: tuple[int, ...], *, single: bool = False) -> Floats:
    value = np.ascontiguousarray(given, dtype=np.float64)
    lead = value.ndim - len(shape)
    if value.shape[lead:] != shape or lead < 0 or lead > (0 if single else 1):
        told = shape if single else f"{shape}, or one such for every row"
        raise check.fail("LinearSystem", name, f"of shape {told}", f"shape {value.shape}")
    if not np.isfinite(value).all():
        raise check.fail("LinearSystem", name, "finite", "NaN or infinity")
    return value


def _covariance(name: str, given: ArrayLike, n: int, *, single: bool = False) -> Floats:
    value = _matrix(name, given, (n, n), single=single)
    turned = np.swapaxes(value, -1, -2)
    scale = np.abs(value).max(initial=0.0)
    if np.abs(value - turned).max(initial=0.0) > 1e-8 * scale:
        raise check.fail("LinearSystem", name, "symmetric", "a matrix that is not")
    value = np.ascontiguousarray((value + turned) / 2)
    least = float(np.linalg.eigvalsh(value).min(initial=0.0))
    if least < -1e-9 * scale:
        raise check.fail(
            "LinearSystem", name, "positive semi-definite", f"an eigenvalue of {least:.3g}"
        )
    return value
