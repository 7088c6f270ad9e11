"""A kernel of scikit-learn that has no counterpart of ours."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.gaussian_process.kernels import WhiteKernel

from margin.core import check
from margin.kernels._base import Definite, Floats, Kernel, parameter_vector


@dataclass(frozen=True, eq=False)
class Foreign(Kernel):
    """A kernel of :mod:`sklearn.gaussian_process.kernels`, called as it is.

    Values, derivatives and hyper-parameters are those of the kernel within; white noise stays on
    the diagonal, as there.

    Parameters
    ----------
    theirs : sklearn.gaussian_process.kernels.Kernel
        Copied, so that nobody else can change it.

    Examples
    --------
    >>> from sklearn.gaussian_process.kernels import PairwiseKernel
    >>> Foreign(PairwiseKernel(metric="linear"))([[1.0], [2.0]])
    array([[1., 2.],
           [2., 4.]])
    """

    theirs: Any
    definite: ClassVar[Definite] = "unknown"

    def __post_init__(self) -> None:
        object.__setattr__(self, "theirs", clone(self.theirs))

    def __str__(self) -> str:
        return str(self.theirs)

    @property
    def input(self) -> str:  # type: ignore[override]
        """Rows of a table, or whatever the kernel compares."""
        return "vectors" if self.theirs.requires_vector_input else "objects"

    @property
    def stationary(self) -> bool:
        """What the kernel says."""
        return bool(self.theirs.is_stationary())

    @property
    def noisy(self) -> bool:
        """Whether there is white noise anywhere inside."""
        inside = (self.theirs, *self.theirs.get_params().values())
        return any(isinstance(part, WhiteKernel) for part in inside)

    @property
    def theta(self) -> NDArray[np.float64]:
        """That of the kernel."""
        return np.array(self.theirs.theta, dtype=np.float64)

    @property
    def theta_names(self) -> tuple[str, ...]:
        """Names of the free hyper-parameters, in the words of scikit-learn."""
        names: list[str] = []
        for one in self.theirs.hyperparameters:
            if not one.fixed:
                many = one.n_elements > 1
                names += [f"{one.name}[{i}]" for i in range(one.n_elements)] if many else [one.name]
        return tuple(names)

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Those of the kernel."""
        return np.array(self.theirs.bounds, dtype=np.float64).reshape(-1, 2)

    def with_theta(self, theta: ArrayLike) -> Self:
        """The same kernel at other hyper-parameters."""
        values = parameter_vector(self, theta)
        return replace(self, theirs=self.theirs.clone_with_theta(values))

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Matrix of the kernel; with one argument its noise is on the diagonal."""
        values = self.theirs(_rows(X)) if Z is None else self.theirs(_rows(X), _rows(Z))
        values = np.array(values, dtype=np.float64)
        if values.ndim != 2:
            need = f"a kernel of one matrix, not of {values.shape[-1]}"
            raise check.fail(self, "theirs", need, self.theirs)
        return np.asarray(0.5 * (values + values.T)) if Z is None else values

    def diag(self, X: Any) -> Floats:
        """Diagonal of the kernel."""
        return np.array(self.theirs.diag(_rows(X)), dtype=np.float64)

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """What the kernel gives with ``eval_gradient=True``."""
        if not len(self.theirs.theta):
            return iter(())
        _, slopes = self.theirs(_rows(X), eval_gradient=True)
        return (np.ascontiguousarray(slopes[:, :, j]) for j in range(slopes.shape[2]))

    def gradient_product(self, X: Any, weight: Floats) -> NDArray[np.float64]:
        """Weighted sums of all derivatives, which come together."""
        if not len(self.theirs.theta):
            return np.empty(0)
        _, slopes = self.theirs(_rows(X), eval_gradient=True)
        return np.asarray(np.einsum("ij,ijp->p", weight, slopes), dtype=np.float64)


def _rows(X: Any) -> Any:
    """Rows as scikit-learn takes them: numbers as a table, anything else as it is."""
    if isinstance(X, np.ndarray) or not len(X) or not np.ndim(X[0]):
        return X
    return np.asarray(X)
