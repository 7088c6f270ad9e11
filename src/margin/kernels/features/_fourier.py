"""Random Fourier features of stationary kernels."""

from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.core.random import generator
from margin.kernels._base import Floats, Kernel
from margin.kernels.algebra._algebra import Product, Sum
from margin.kernels.algebra._scaled import Scaled
from margin.kernels.features._feature_map import FeatureMap, JoinedFeatures
from margin.kernels.radial._gamma_exponential import GammaExponential
from margin.kernels.radial._laplacian import Laplacian
from margin.kernels.radial._matern import Matern
from margin.kernels.radial._rational_quadratic import RationalQuadratic
from margin.kernels.radial._rbf import RBF
from margin.kernels.vectors._vectors import rows

Draw = np.random.Generator


@dataclass(frozen=True, eq=False)
class FourierFeatures(FeatureMap):
    r"""Features :math:`\sqrt{c/m}\,(\cos \omega_i^\top x, \sin \omega_i^\top x)_{i \le m}`.

    Parameters
    ----------
    frequencies : ndarray of shape (m, p)
        Draws from the spectral density of a kernel.
    factor : float
        Value ``c`` of the kernel of a point with itself.
    """

    frequencies: NDArray[np.float64]
    factor: float = 1.0

    @property
    def n_features(self) -> int:
        """Twice the number of frequencies."""
        return 2 * len(self.frequencies)

    def __call__(self, X: Any) -> Floats:
        """Cosines and sines of the rows."""
        table = rows(self, X)
        if table.shape[1] != self.frequencies.shape[1]:
            raise check.fail(self, "X", f"of {self.frequencies.shape[1]} columns", table.shape[1])
        angles = table @ self.frequencies.T.astype(table.dtype)
        scale = table.dtype.type(np.sqrt(self.factor / len(self.frequencies)))
        return np.asarray(np.hstack([np.cos(angles), np.sin(angles)]) * scale)


def fourier_features(
    kernel: Kernel, n: int, *, n_columns: int, rng: Any = None
) -> FourierFeatures | JoinedFeatures:
    r"""``n`` random features whose scalar products approximate a stationary kernel (kernels.33).

    By Bochner's theorem :math:`k(x - z) = k(0)\, E \cos \omega^\top (x - z)` with frequencies drawn
    from the spectral density: Gaussian for the Gaussian kernel, Student's t for Matérn, scale
    mixtures for the rational quadratic and γ-exponential, Cauchy for the Laplacian. The error of an
    entry falls as :math:`n^{-1/2}`. A sum of kernels shares the features out, a product adds
    the frequencies.

    Parameters
    ----------
    kernel : Kernel
        A stationary kernel, or a sum, product or multiple of such.
    n : int
        Number of features, an even number (for a sum, of every part).
    n_columns : int
        Columns of the tables.
    rng : None, int or Generator
        Source of the frequencies.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.kernels import RBF
    >>> features = fourier_features(RBF(1.0), 2000, n_columns=1, rng=0)
    >>> bool(abs(features([[0.0]]) @ features([[1.0]]).T - np.exp(-0.5)).item() < 0.05)
    True
    """
    if not isinstance(n, int | np.integer) or n < 2 or n % 2:
        raise check.fail("fourier_features", "n", "an even number of at least 2", n)
    draw = generator(rng)
    if isinstance(kernel, Sum):
        maps = [fourier_features(p, n, n_columns=n_columns, rng=draw) for p in kernel.parts]
        return JoinedFeatures(tuple(maps))
    factor = 1.0
    while isinstance(kernel, Scaled):
        factor, kernel = factor * kernel.factor, kernel.kernel
    return FourierFeatures(frequencies(kernel, n // 2, n_columns, draw), factor)


@singledispatch
def frequencies(kernel: Kernel, n: int, p: int, draw: Draw) -> NDArray[np.float64]:
    """Draws from the spectral density of a kernel, of shape ``(n, p)``."""
    raise check.fail(
        "fourier_features", "kernel", "a stationary kernel with a known spectrum", kernel
    )


@frequencies.register
def _(kernel: RBF, n: int, p: int, draw: Draw) -> NDArray[np.float64]:
    return np.asarray(draw.normal(size=(n, p)) / np.array(kernel.length_scale))


@frequencies.register
def _(kernel: Matern, n: int, p: int, draw: Draw) -> NDArray[np.float64]:
    spread = np.ones((n, 1))
    if np.isfinite(kernel.nu):
        spread = np.sqrt(2.0 * kernel.nu / draw.chisquare(2.0 * kernel.nu, size=(n, 1)))
    return np.asarray(draw.normal(size=(n, p)) * spread / np.array(kernel.length_scale))


@frequencies.register
def _(kernel: RationalQuadratic, n: int, p: int, draw: Draw) -> NDArray[np.float64]:
    precision = draw.gamma(kernel.alpha, 1.0 / kernel.alpha, size=(n, 1))
    spread = np.sqrt(precision) / np.array(kernel.length_scale)
    return np.asarray(draw.normal(size=(n, p)) * spread)


@frequencies.register
def _(kernel: GammaExponential, n: int, p: int, draw: Draw) -> NDArray[np.float64]:
    # exp(-s^b) = E exp(-t s) with t positive stable of index b = gamma / 2 (Kanter's draw).
    b = 0.5 * kernel.gamma
    t = np.ones((n, 1))
    if b < 1.0:
        angle = draw.uniform(0.0, np.pi, size=(n, 1))
        wait = draw.exponential(size=(n, 1))
        ratio = np.sin((1.0 - b) * angle) / wait
        t = ratio ** ((1.0 - b) / b) * np.sin(b * angle) / np.sin(angle) ** (1.0 / b)
    spread = np.sqrt(2.0 * t) / np.array(kernel.length_scale)
    return np.asarray(draw.normal(size=(n, p)) * spread)


@frequencies.register
def _(kernel: Laplacian, n: int, p: int, draw: Draw) -> NDArray[np.float64]:
    return np.asarray(draw.standard_cauchy(size=(n, p)) / np.array(kernel.length_scale))


@frequencies.register
def _(kernel: Product, n: int, p: int, draw: Draw) -> NDArray[np.float64]:
    drawn = [frequencies(part, n, p, draw) for part in kernel.parts]
    return np.asarray(np.sum(drawn, axis=0))
