"""Telling the noise of a kernel from the function it models."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Bools, Floats, Places
from margin.kernels import Constrained, Foreign, Kernel, Scaled, Sum, White


def noise_variance(kernel: Any, X: Any) -> Floats:
    """Variance of the white noise that a kernel holds, at every object.

    The covariance of two sets never holds noise, the diagonal does: the difference is the noise.

    Examples
    --------
    >>> from margin.kernels import RBF
    >>> noise_variance(2.0 * RBF(1.0) + White(0.5), np.zeros((2, 1)))
    array([0.5, 0.5])
    """
    n = len(X)
    if not holds_white(kernel):
        return np.zeros(n)
    level = _level(kernel)
    if level is not None:
        return np.full(n, level)
    bare = [float(kernel(X[i : i + 1], X[i : i + 1])[0, 0]) for i in range(n)]
    return np.maximum(np.asarray(kernel.diag(X), dtype=np.float64) - bare, 0.0)


def _level(kernel: Any) -> float | None:
    """Noise that is the same everywhere, None where only evaluation can tell."""
    if isinstance(kernel, White):
        return float(kernel.noise_level)
    if not holds_white(kernel):
        return 0.0
    if isinstance(kernel, Constrained):
        return _level(kernel.kernel)
    if isinstance(kernel, Scaled):
        inner = _level(kernel.kernel)
        return None if inner is None else kernel.factor * inner
    if isinstance(kernel, Sum):
        parts = [_level(part) for part in kernel.parts]
        known = [part for part in parts if part is not None]
        return float(sum(known)) if len(known) == len(parts) else None
    return None


def holds_white(kernel: Any) -> bool:
    """Whether there is a white kernel anywhere inside."""
    if isinstance(kernel, White):
        return True
    if isinstance(kernel, Foreign):
        return kernel.noisy
    if not isinstance(kernel, Kernel):
        return False
    for item in fields(kernel):  # type: ignore[arg-type]
        value = getattr(kernel, item.name)
        inside = value if isinstance(value, tuple) else (value,)
        if any(holds_white(part) for part in inside if isinstance(part, Kernel)):
            return True
    return False


@dataclass(frozen=True)
class Split:
    """A kernel as latent function plus white noise.

    Parameters
    ----------
    latent : Kernel
        The kernel without its noise.
    noises : tuple of Kernel
        White kernels, or multiples of them.
    latent_at, noise_at : ndarray of int
        Positions of their hyper-parameters among all.
    free : ndarray of bool
        Which of all hyper-parameters are free.
    """

    latent: Kernel
    noises: tuple[Kernel, ...]
    latent_at: Places
    noise_at: Places
    free: Bools

    @property
    def level(self) -> float:
        """Variance of the noise."""
        return float(sum(_level(part) or 0.0 for part in self.noises))

    def gradient(self, latent: Floats, per_noise: float) -> Floats:
        """All free entries from those of the latent kernel and one factor for the noise.

        A noise hyper-parameter enters its variance as a factor, so its logarithm has the
        derivative ``per_noise`` times the variance.
        """
        whole = np.zeros(len(self.free))
        whole[self.latent_at] = latent
        levels = [np.full(len(part.theta), _level(part) or 0.0) for part in self.noises]
        if levels:
            whole[self.noise_at] = per_noise * np.concatenate(levels)
        return whole[self.free]


def split(kernel: Any) -> Split:
    """Separate a sum of kernels into the latent function and the noise.

    Examples
    --------
    >>> from margin.kernels import RBF
    >>> parts = split(2.0 * RBF(1.0) + White(0.5))
    >>> parts.latent, parts.level, parts.latent_at.tolist()
    (Scaled(kernel=RBF(length_scale=1.0), factor=2.0), 0.5, [0, 1])
    """
    base, free = kernel, np.ones(len(kernel.theta), dtype=bool)
    if isinstance(kernel, Constrained):
        base = kernel.kernel
        free = np.ones(len(base.theta), dtype=bool)
        free[[entry for entry, limits in kernel.entries if limits is None]] = False
    parts = base.parts if isinstance(base, Sum) else (base,)
    ends = np.cumsum([0, *(len(part.theta) for part in parts)])
    places = [np.arange(a, b) for a, b in pairwise(ends)]
    pure = [_is_noise(part) for part in parts]
    latent = [part for part, noise in zip(parts, pure, strict=True) if not noise]
    if not latent or any(holds_white(part) for part in latent):
        need = "a sum of kernels without White, and of White kernels"
        raise check.fail("Sparse Gaussian process", "kernel", need, kernel)
    return Split(
        latent[0] if len(latent) == 1 else Sum(tuple(latent)),
        tuple(part for part, noise in zip(parts, pure, strict=True) if noise),
        _joined([p for p, noise in zip(places, pure, strict=True) if not noise]),
        _joined([p for p, noise in zip(places, pure, strict=True) if noise]),
        free,
    )


def _is_noise(kernel: Any) -> bool:
    if isinstance(kernel, Scaled | Constrained):
        return _is_noise(kernel.kernel)
    return isinstance(kernel, White)


def _joined(pieces: list[Places]) -> Places:
    return np.concatenate([*pieces, np.empty(0, dtype=np.intp)]).astype(np.intp)
