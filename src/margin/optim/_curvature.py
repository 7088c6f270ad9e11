"""Second derivatives of the penalised risk of a linear model."""

from dataclasses import dataclass

import numpy as np

from margin.core.types import Floats
from margin.optim._design import Design
from margin.penalties import Penalty

_FLAT = 1e-10  # curvature below this share of the mean cannot be told from rounding


@dataclass(frozen=True, eq=False)
class Curvature:
    r"""How the risk bends at some coefficients.

    Parameters
    ----------
    design : Design
    coef : ndarray of shape (p, k)
        Where the penalty is looked at.
    bend : ndarray of shape (n,) or (n, k)
        Second derivatives of the loss along each score, weighted; with ``classes`` the
        probabilities :math:`p_i`, whose rows bend by
        :math:`\operatorname{diag}(p_i) - p_i p_i^\top`.
    weight : ndarray of shape (n,) or None
        Of the rows; for ``classes``.
    penalty : Penalty
    classes : bool
        Whether the scores of a row share one loss.
    """

    design: Design
    coef: Floats
    bend: Floats
    weight: Floats | None
    penalty: Penalty
    classes: bool

    def product(self, v: Floats) -> Floats:
        """Times a direction of all unknowns."""
        direction = v[: self.coef.size].reshape(self.coef.shape)
        z = self.design.product(direction)
        z = z + (v[self.coef.size :] if self.design.intercept else 0.0)
        if self.classes:
            z = self._bent(z)
        else:
            z *= self.bend.reshape(z.shape)
        image = self.design.sums(z)
        image[: self.coef.size] += self.penalty.hessian_product(self.coef, direction).ravel()
        return image

    def _bent(self, z: Floats) -> Floats:
        """Rows of ``(diag(p) - p p^T) z``, weighted."""
        p = self.bend
        image: Floats = p * (z - np.sum(p * z, axis=1, keepdims=True))
        return image if self.weight is None else self.weight[:, None] * image

    def matrix(self) -> Floats:
        """All second derivatives, in the order of the unknowns."""
        p, k = self.coef.shape
        size = p + int(self.design.intercept)
        blocks = np.empty((size, k, size, k))
        for a in range(k):
            for b in range(a + 1):
                if a != b and not self.classes:  # targets of their own
                    blocks[:, a, :, b] = blocks[:, b, :, a] = 0.0
                    continue
                block = self.design.gram(self._block_weight(a, b))
                blocks[:, a, :, b] = block
                blocks[:, b, :, a] = block.T
        matrix = blocks.reshape(size * k, size * k)
        penalised = np.arange(p * k)
        if self.penalty.separable:
            matrix[penalised, penalised] += self.penalty.curvature(self.coef).ravel()
        else:
            for j in penalised:
                unit = np.zeros(p * k)
                unit[j] = 1.0
                product = self.penalty.hessian_product(self.coef, unit.reshape(p, k))
                matrix[: p * k, j] += product.ravel()
        if self.classes and k > 1:
            bend = self.penalty.curvature(self.coef).min(axis=1, initial=np.inf)
            _fill_shift(blocks, bend)
        return matrix

    def _block_weight(self, a: int, b: int) -> Floats:
        if not self.classes:
            column: Floats = self.bend.reshape(len(self.bend), -1)[:, a]
            return column
        shared = self.bend[:, a] * (float(a == b) - self.bend[:, b])
        return shared if self.weight is None else self.weight * shared


def _fill_shift(blocks: Floats, penalised: Floats) -> None:
    """Curvature along the shift of all class scores together, where the objective has none.

    The gradient has no part in that direction, so Newton steps stay the same; without it the
    matrix would be singular. Where the penalty bends the objective it is left alone.
    """
    size, k = blocks.shape[:2]
    mean = float(np.trace(blocks.reshape(size * k, -1))) / (size * k)
    bend = np.append(penalised, np.zeros(size - len(penalised)))
    for j in np.flatnonzero(bend <= _FLAT * mean):
        blocks[j, :, j, :] += mean / k
