"""Functions of a reproducing-kernel Hilbert space."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.kernels._base import Floats, Kernel
from margin.kernels.features._gram_features import gram_features


@dataclass(frozen=True, eq=False)
class KernelFunction:
    r"""The function :math:`f = \sum_i \alpha_i k(x_i, \cdot)` (kernels.01, kernels.34).

    Scalar product :math:`\langle f, g \rangle = \sum_{ij} \alpha_i \beta_j k(x_i, z_j)` and norm
    :math:`\|f\|^2 = \alpha^\top K \alpha`. Evaluation is a scalar product, the reproducing
    property: :math:`\langle f, k(x, \cdot) \rangle = f(x)`, hence
    :math:`|f(x)| \le \|f\| \sqrt{k(x, x)}`.

    Parameters
    ----------
    kernel : Kernel
        Kernel of the space.
    points : objects
        Where the function is anchored.
    coefficients : array-like of shape (n,)
        Coefficients :math:`\alpha`.

    Examples
    --------
    >>> from margin.kernels import RBF
    >>> f = KernelFunction(RBF(1.0), [[0.0], [1.0]], [2.0, -1.0])
    >>> at = KernelFunction.section(RBF(1.0), [[0.5]])
    >>> round(f.inner(at), 6), f([[0.5]]).round(6)
    (0.882497, array([0.882497]))
    >>> round(f.norm() ** 2, 6)
    2.573877
    """

    kernel: Kernel
    points: Any
    coefficients: Any

    def __post_init__(self) -> None:
        alpha = np.asarray(self.coefficients, dtype=np.float64)
        if alpha.shape != (len(self.points),):
            raise check.fail(self, "coefficients", f"of shape ({len(self.points)},)", alpha.shape)
        object.__setattr__(self, "coefficients", alpha)

    @classmethod
    def section(cls, kernel: Kernel, point: Any) -> Self:
        """The function ``k(x, ·)`` of one object, given as a set of one."""
        return cls(kernel, point, np.ones(1))

    @classmethod
    def interpolating(cls, kernel: Kernel, points: Any, values: ArrayLike) -> Self:
        """The function of least norm with given values, by least squares if points repeat."""
        target = np.asarray(values, dtype=np.float64)
        features = gram_features(kernel(points), tol=1e-12)
        B = features.features
        return cls(kernel, points, B @ (B.T @ target / features.singular_values**4))

    def __call__(self, X: Any) -> Floats:
        """Values of the function."""
        return np.asarray(self.kernel(X, self.points) @ self.coefficients)

    def inner(self, other: "KernelFunction") -> float:
        """Scalar product with another function of the same space."""
        if other.kernel != self.kernel:
            raise check.fail(self, "other", "a function of the same kernel", other.kernel)
        K = self.kernel(self.points, other.points)
        return float(self.coefficients @ K @ other.coefficients)

    def norm(self) -> float:
        """Norm of the function."""
        a = self.coefficients
        return float(np.sqrt(max(float(a @ self.kernel(self.points) @ a), 0.0)))


def fourier_inner(
    kernel: Kernel, f: ArrayLike, g: ArrayLike, *, period: float, tol: float = 1e-13
) -> float:
    r"""Scalar product of sampled functions by the inverse kernel (kernels.34).

    .. math:: \langle f, g \rangle = \int f\, (k^{-1} * g) =
        \int \frac{\overline{\hat f(\omega)}\, \hat g(\omega)}{\hat k(\omega)} \, d\omega,
        \qquad k^{-1} * k = \delta,

    for functions on a circle sampled at equal steps: the kernel matrix is circulant and the
    transform inverts it in :math:`O(n \log n)`.

    Parameters
    ----------
    kernel : Kernel
        Kernel of one column, a function of the difference that has died out at half the period.
    f, g : array-like of shape (n,)
        Samples at ``0, h, 2h, …`` with ``h = period / n``.
    period : float
        Length of the circle.
    tol : float
        Frequencies whose part of the kernel is below ``tol`` times the largest are not in the
        space as far as rounding can tell; a function with a share there is refused.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.kernels import Matern
    >>> x = np.linspace(0, 20, 200, endpoint=False)[:, None]
    >>> f, g = Matern()(x, [[8.0]])[:, 0], Matern()(x, [[9.0]])[:, 0]
    >>> round(fourier_inner(Matern(), f, g, period=20.0), 6), Matern()([[8]], [[9]]).round(6)
    (0.483358, array([[0.483358]]))
    """
    left, right = np.asarray(f, dtype=np.float64), np.asarray(g, dtype=np.float64)
    if left.ndim != 1 or left.shape != right.shape or not len(left):
        raise check.fail("fourier_inner", "g", f"of shape {left.shape} as f is", right.shape)
    n = len(left)
    steps = np.minimum(np.arange(n), n - np.arange(n)) * (period / n)
    response = np.fft.rfft(kernel(steps[:, None], np.zeros((1, 1)))[:, 0]).real
    kept = response > tol * response.max()
    spectra = np.fft.rfft(left), np.fft.rfft(right)
    _refuse_outside(spectra, kept)
    terms = (np.conj(spectra[0]) * spectra[1]).real[kept] / response[kept]
    # Every frequency but zero and the last of an even number stands for two.
    count = np.full(len(response), 2.0)
    count[0] = 1.0
    if n % 2 == 0:
        count[-1] = 1.0
    return float(np.sum(terms * count[kept])) / n


def _refuse_outside(spectra: tuple[NDArray[Any], NDArray[Any]], kept: NDArray[np.bool_]) -> None:
    for name, spectrum in zip("fg", spectra, strict=True):
        power = np.abs(spectrum) ** 2
        share = float(np.sqrt(power[~kept].sum() / max(power.sum(), np.finfo(float).tiny)))
        if share > 1e-6:
            raise check.fail(
                "fourier_inner", name, "in the space of the kernel", f"a share {share:.3g} outside"
            )
