"""The rows of a process as its inducing points see them, a block at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import blas

from margin.core.types import Floats
from margin.gp._noise import Split
from margin.gp.solvers._interface import Observations
from margin.linalg import Cholesky, kernel_cholesky

NUGGET = 1e-8
# NumPy and SciPy each have their own BLAS, whose threads wait busily after a call: the passes over
# the rows use SciPy's only, and few blocks, so that the compiled loops have the processors.
_ROWS = 8192
_CACHE = 1 << 30


class Block(NamedTuple):
    r"""Some rows: :math:`V = L_u^{-1} K_{uf}`, :math:`\Lambda`, the variance that is missing."""

    rows: slice
    V: Floats
    lam: Floats
    missing: Floats


@dataclass(frozen=True, eq=False)
class InducingRows:
    r"""All rows, projected on the inducing points.

    Parameters
    ----------
    Z : array of shape (m, d), or a list of m objects
        Inducing points.
    fitc : bool
        Whether the missing variance :math:`\operatorname{diag}(K - Q)` counts as noise.
    parts : Split
        The kernel as function and noise.
    seen : Observations
    outer : Cholesky
        Factor of :math:`K_{uu} = L_u L_u^\top`, with a nugget.
    kept : tuple of Block
        All blocks, where they fit into memory; else they are made again for every pass.
    """

    Z: Any
    fitc: bool
    parts: Split
    seen: Observations
    outer: Cholesky
    kept: tuple[Block, ...] = ()

    @classmethod
    def of(cls, Z: Any, fitc: bool, parts: Split, seen: Observations) -> InducingRows:
        """Factor the covariance of the inducing points, project where there is memory for it."""
        Kuu = np.ascontiguousarray(parts.latent(Z), dtype=np.float64)
        Kuu.flat[:: len(Kuu) + 1] += NUGGET * float(np.mean(np.diagonal(Kuu)))
        outer = kernel_cholesky(Kuu, f"{parts.latent} at the inducing points")
        fresh = cls(Z, fitc, parts, seen, outer)
        if 8 * seen.n * len(Z) > _CACHE:
            return fresh
        return cls(Z, fitc, parts, seen, outer, tuple(fresh.blocks()))

    def blocks(self) -> Iterator[Block]:
        """Every row once, in order."""
        if self.kept:
            yield from self.kept
            return
        n = self.seen.n
        for start in range(0, n, _ROWS):
            yield self._block(slice(start, min(start + _ROWS, n)))

    def _block(self, rows: slice) -> Block:
        X = self.seen.X[rows]
        V = np.asfortranarray(self.parts.latent(X, self.Z).T, dtype=np.float64)
        V = blas.dtrsm(1.0, self.outer.lower, V, lower=1, overwrite_b=1)
        missing = np.asarray(self.parts.latent.diag(X)) - np.einsum("ij,ij->j", V, V)
        missing = np.maximum(missing, 0.0)
        lam = self.seen.noise[rows] + self.parts.level
        return Block(rows, V, lam + missing if self.fitc else lam, missing)
