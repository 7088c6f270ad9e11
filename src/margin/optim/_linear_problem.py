"""Penalised empirical risk of a linear model."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from margin.core import check
from margin.core.types import Floats
from margin.linalg import gram
from margin.losses import Loss
from margin.native.rows import products
from margin.optim._problem import Expansion, Problem
from margin.penalties import Penalty

_FLAT = 1e-10  # curvature below this share of the mean cannot be told from rounding


@dataclass(frozen=True)
class LinearProblem(Problem):
    r"""The objective :math:`F(W, b) = \sum_i s_i\, \ell(W^\top x_i + b, y_i) + J(W)` (linear.01).

    With several targets per row, :math:`\ell` is the sum of their losses,
    :math:`\sum_k \ell(w_k^\top x_i + b_k, y_{ik})`; only a penalty that is not a sum over the
    entries of :math:`W` ties them together.

    Parameters
    ----------
    X : ndarray of shape (n, p), C-ordered, or CSR matrix
        float32 or float64; sums are float64.
    y : ndarray of shape (n,) or (n, n_targets)
        Targets as the loss takes them: labels of two classes may be 0/1 or -1/+1. Several columns
        are several targets, for losses of one score.
    weight : ndarray of shape (n,) or None
        Weights :math:`s_i`, ones if absent.
    loss : Loss
    penalty : Penalty
        Never applied to the intercept.
    intercept : bool
        Whether :math:`b` is free, or zero.
    n_outputs : int
        Columns of :math:`W`: 1, or the number of classes; with several targets, their number.
    n_threads : int
        Threads of the compiled passes; the answer does not depend on it.

    Notes
    -----
    The unknown vector holds :math:`W` row by row, then :math:`b`. Dense single-output problems
    with a compiled loss are evaluated in one pass over the rows. Sparse problems keep one
    transposed copy so that gradients are sums over columns.
    """

    X: Any
    y: NDArray[Any]
    weight: Floats | None
    loss: Loss
    penalty: Penalty
    intercept: bool = True
    n_outputs: int = 1
    n_threads: int = 1
    _transposed: Any = field(init=False, repr=False, default=None)

    def __post_init__(self) -> None:
        for name, kind in (("loss", Loss), ("penalty", Penalty)):
            if not isinstance(getattr(self, name), kind):
                need = f"an object of margin.{kind.__module__.split('.')[1]}"
                raise check.fail(self, name, need, getattr(self, name))
        if issparse(self.X):
            self.X.check_format()
            self._set("_transposed", self.X.T.tocsr())
        else:
            self._set("X", self._dense())
        self._refuse_gaps("X", self.X.data if issparse(self.X) else self.X)
        n = self.X.shape[0]
        y = np.ascontiguousarray(self.loss.targets(self.y))
        scores = self.loss.form != "classes"
        if y.shape != (n,) and not (scores and y.ndim == 2 and y.shape[0] == n and y.shape[1] > 1):
            several = f" or ({n}, k) with k > 1 targets per row" if scores else ""
            raise check.fail(self, "y", f"of shape ({n},){several}", y.shape)
        self._refuse_gaps("y", y)
        self._set("y", y)
        if y.ndim == 2 and self.n_outputs in (1, y.shape[1]):
            self._set("n_outputs", y.shape[1])
            self._set("X", self.X if issparse(self.X) else self._dense())
        if self.weight is not None:
            weight = np.ascontiguousarray(self.weight, dtype=np.float64)
            if weight.shape != (n,):
                raise check.fail(self, "weight", f"of shape ({n},)", weight.shape)
            self._refuse_gaps("weight", weight)
            if weight.min(initial=0.0) < 0:
                raise check.fail(self, "weight", "at least 0", float(weight.min()))
            self._set("weight", weight)
        if self.n_outputs > 1 and scores and y.shape != (n, self.n_outputs):
            need = f"1 for {type(self.loss).__name__}, which takes one score per target"
            raise check.fail(self, "n_outputs", need, self.n_outputs)

    def _refuse_gaps(self, name: str, values: NDArray[Any]) -> None:
        if values.dtype.kind == "f" and not check.all_finite(values):
            shown = float(values[~np.isfinite(values)].flat[0])
            raise check.fail(self, name, "finite", shown)

    def _dense(self) -> NDArray[Any]:
        try:
            X = np.asarray(self.X)
            fits = self._compiled() and X.dtype in (np.float32, np.float64)
            if not (fits and self.loss.quadratic and X.ndim == 2 and X.flags.f_contiguous):
                X = np.ascontiguousarray(X, dtype=None if fits else np.float64)
        except (TypeError, ValueError) as error:
            raise check.fail(self, "X", "a table of numbers", self.X) from error
        if X.ndim != 2:
            raise check.fail(self, "X", "of shape (n, p)", X.shape)
        return X

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    @property
    def provides(self) -> frozenset[str]:  # type: ignore[override]
        """What loss and penalty allow."""
        if self.loss.piecewise_constant:
            return frozenset()
        kinds = {"rows", "columns"}
        if self.loss.convex and self.penalty.convex and self.penalty.finite:
            kinds.add("subgradient")
        if self.loss.differentiable:
            kinds.add("prox")
            if self.penalty.smooth:
                kinds.add("gradient")
                if self.loss.form != "classes" or self.loss.states_hessian:
                    kinds |= {"hessian", "hessian_product"}
        return frozenset(kinds)

    @property
    def dimension(self) -> int:  # type: ignore[override]
        """Number of unknowns."""
        return (int(self.X.shape[1]) + int(self.intercept)) * self.n_outputs

    def unpack(self, x: Floats) -> tuple[Floats, Floats]:
        """Coefficients of shape (p, n_outputs) and intercepts of shape (n_outputs,)."""
        size = self.X.shape[1] * self.n_outputs
        coef = x[:size].reshape(-1, self.n_outputs)
        return coef, x[size:] if self.intercept else np.zeros(self.n_outputs)

    def pack(self, coef: Floats, intercept: Floats) -> Floats:
        """Unknowns of given coefficients and intercepts: what :meth:`unpack` undoes."""
        parts = [coef.ravel(), intercept] if self.intercept else [coef.ravel()]
        return np.concatenate(parts, dtype=np.float64)

    def predictions(self, x: Floats) -> Floats:
        """Raw predictions of shape (n, n_outputs)."""
        coef, offset = self.unpack(x)
        return self._product(coef) + offset

    def expand(self, x: Floats, *, second_order: bool = False) -> Expansion:
        coef, offset = self.unpack(x)
        if self._fused():
            value, slope, bend = self._fused_pass(coef, offset, second_order)
        elif self._compiled():
            with np.errstate(over="ignore", invalid="ignore"):  # as silent as the compiled pass
                value, slope, bend = self._separate_passes(coef, offset, second_order)
        else:
            value, slope, bend = self._separate_passes(coef, offset, second_order)
        gradient = slope.copy()
        inner = slope[: coef.size].reshape(coef.shape)
        gradient[: coef.size] = self.penalty.least_subgradient(coef, inner).ravel()
        total = value + self.penalty.value(coef)
        if not second_order or bend is None:
            return Expansion(total, gradient, value, slope)
        curvature = bend
        return Expansion(
            total,
            gradient,
            value,
            slope,
            hessian=lambda: self._hessian(coef, curvature),
            hessian_product=lambda v: self._hessian_product(coef, curvature, v),
        )

    def prox(self, x: Floats, step: float) -> Floats:
        """Proximal step of the penalty; the intercept stays."""
        coef, _ = self.unpack(x)
        moved = x.copy()
        moved[: coef.size] = self.penalty.prox(coef, step).ravel()
        return moved

    def _compiled(self) -> bool:
        """Whether there is a compiled pass over rows of such data."""
        return self._transposed is None and self.n_outputs == 1 and self.loss.native_id is not None

    def _fused(self) -> bool:
        """Whether it can be used: squares keep the order of columns, which their solvers prefer."""
        return self._compiled() and bool(self.X.flags.c_contiguous)

    def _fused_pass(
        self, coef: Floats, offset: Floats, second_order: bool
    ) -> tuple[float, Floats, Floats | None]:
        gradient = np.empty(len(coef) + 1)
        bend = np.empty(len(self.y)) if second_order else None
        assert self.loss.native_id is not None
        value = products.linear_pass(
            self.loss.native_id,
            self.X,
            self.y,
            self.weight,
            np.ascontiguousarray(coef[:, 0]),
            float(offset[0]),
            bend,
            gradient,
            self.n_threads,
        )
        return value, gradient if self.intercept else gradient[:-1], bend

    def _separate_passes(
        self, coef: Floats, offset: Floats, second_order: bool
    ) -> tuple[float, Floats, Floats | None]:
        z = self._product(coef)
        z += offset
        classes, weight = self.loss.form == "classes", self.weight
        if weight is not None and self.y.ndim == 2:
            weight = np.repeat(weight, self.n_outputs)
        value, slope, bend = self.loss.sweep(
            z if classes else z.ravel(),
            self.y if classes else self.y.ravel(),
            weight,
            curvature=second_order and not classes,
            n_threads=self.n_threads,
        )
        slope = slope.reshape(len(self.y), -1)
        if second_order and classes:
            bend = self._probabilities(slope)
        return value, self._stack(slope), None if bend is None else bend.reshape(slope.shape)

    def _probabilities(self, slope: Floats) -> Floats:
        """Class probabilities recovered from the weighted slopes of a softmax."""
        p = slope.copy()
        if self.weight is not None:
            p /= np.where(self.weight > 0, self.weight, 1.0)[:, None]
        p[np.arange(len(self.y)), self.y] += 1.0
        return np.maximum(p, 0.0)

    def _product(self, coef: Floats) -> Floats:
        if self._transposed is not None:
            return products.csr_product(self.X, np.ascontiguousarray(coef), self.n_threads)
        return np.asarray(self.X @ coef, dtype=np.float64)

    def _stack(self, rows: Floats) -> Floats:
        """Gradient of the unknowns from the gradient of the predictions."""
        if self._transposed is not None:
            top = products.csr_product(self._transposed, np.ascontiguousarray(rows), self.n_threads)
        else:
            top = np.asarray(self.X.T @ rows, dtype=np.float64)
        if not self.intercept:
            return top.ravel()
        return np.concatenate([top.ravel(), rows.sum(axis=0)])

    def _hessian_product(self, coef: Floats, bend: Floats, v: Floats) -> Floats:
        direction, offset = self.unpack(v)
        z: Floats = self._product(direction) + offset
        if self.loss.form == "classes":
            z = self._bend_classes(bend, z)
        else:
            z *= bend.reshape(z.shape)
        image = self._stack(z)
        image[: coef.size] += self.penalty.hessian_product(coef, direction).ravel()
        return image

    def _bend_classes(self, p: Floats, z: Floats) -> Floats:
        """Rows of ``(diag(p) - p p^T) z``, weighted."""
        image: Floats = p * (z - np.sum(p * z, axis=1, keepdims=True))
        return image if self.weight is None else self.weight[:, None] * image

    def _hessian(self, coef: Floats, bend: Floats) -> Floats:
        k, p = self.n_outputs, self.X.shape[1]
        size = p + int(self.intercept)
        blocks = np.empty((size, k, size, k))
        for a in range(k):
            for b in range(a + 1):
                if a != b and self.loss.form != "classes":  # targets of their own
                    blocks[:, a, :, b] = blocks[:, b, :, a] = 0.0
                    continue
                block = self._block(self._block_weight(bend, a, b))
                blocks[:, a, :, b] = block
                blocks[:, b, :, a] = block.T
        matrix = blocks.reshape(size * k, size * k)
        penalised = np.arange(p * k)
        if self.penalty.separable:
            matrix[penalised, penalised] += self.penalty.curvature(coef).ravel()
        else:
            for j in penalised:
                unit = np.zeros(p * k)
                unit[j] = 1.0
                product = self.penalty.hessian_product(coef, unit.reshape(p, k))
                matrix[: p * k, j] += product.ravel()
        if self.loss.form == "classes" and k > 1:
            self._fill_shift(blocks, self.penalty.curvature(coef).min(axis=1, initial=np.inf))
        return matrix

    def _fill_shift(self, blocks: Floats, penalised: Floats) -> None:
        """Curvature along the shift of all class scores together, where the objective has none.

        The gradient has no part in that direction, so Newton steps stay the same; without it the
        matrix would be singular. Where the penalty bends the objective it is left alone.
        """
        size, k = blocks.shape[:2]
        mean = float(np.trace(blocks.reshape(size * k, -1))) / (size * k)
        bend = np.append(penalised, np.zeros(size - len(penalised)))
        for j in np.flatnonzero(bend <= _FLAT * mean):
            blocks[j, :, j, :] += mean / k

    def _block_weight(self, bend: Floats, a: int, b: int) -> Floats:
        if self.loss.form != "classes":
            return bend.reshape(-1, self.n_outputs)[:, a]
        shared = bend[:, a] * (float(a == b) - bend[:, b])
        return shared if self.weight is None else self.weight * shared

    def _block(self, weight: Floats) -> Floats:
        """Design (with its column of ones) transposed times diag(weight) times design."""
        p = self.X.shape[1]
        if weight.size and weight.min() < 0 < weight.max():
            # A loss that is not convex: the sum of a positive and a negative block.
            return self._block(np.maximum(weight, 0.0)) + self._block(np.minimum(weight, 0.0))
        out = np.empty((p + int(self.intercept),) * 2)
        if self._transposed is not None:
            scaled = self._transposed.multiply(weight).tocsr()
            out[:p, :p] = (scaled @ self.X).toarray()
            ones = np.asarray(scaled.sum(axis=1)).ravel()
        else:
            # Blocks of two different classes have negative weights.
            sign = -1.0 if weight.size and weight.min() < 0 else 1.0
            matrix, moments = gram(self.X, sign * weight, targets=np.ones((len(weight), 1)))
            assert moments is not None
            out[:p, :p] = sign * matrix
            ones = sign * moments[:, 0]
        if self.intercept:
            out[:p, p] = out[p, :p] = ones
            out[p, p] = weight.sum()
        return out
