"""Penalised empirical risk of a linear model."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from margin.core import check
from margin.core.types import Floats
from margin.losses import Loss
from margin.native.rows import products
from margin.optim._curvature import Curvature
from margin.optim._design import Design
from margin.optim._problem import Expansion, Problem
from margin.penalties import Penalty


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
    _design: Design = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name, kind in (("loss", Loss), ("penalty", Penalty)):
            if not isinstance(getattr(self, name), kind):
                need = f"an object of margin.{kind.__module__.split('.')[1]}"
                raise check.fail(self, name, need, getattr(self, name))
        if issparse(self.X):
            self.X.check_format()
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
        transposed = self.X.T.tocsr() if issparse(self.X) else None
        self._set("_design", Design(self.X, transposed, self.intercept, self.n_threads))
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
        return self._design.product(coef) + offset

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
        curvature = self.curvature(coef, bend)
        return Expansion(
            total,
            gradient,
            value,
            slope,
            hessian=curvature.matrix,
            hessian_product=curvature.product,
        )

    def curvature(self, coef: Floats, bend: Floats) -> Curvature:
        """Second derivatives, given those of the loss along the scores."""
        classes = self.loss.form == "classes"
        return Curvature(self._design, coef, bend, self.weight, self.penalty, classes)

    def prox(self, x: Floats, step: float) -> Floats:
        """Proximal step of the penalty; the intercept stays."""
        coef, _ = self.unpack(x)
        moved = x.copy()
        moved[: coef.size] = self.penalty.prox(coef, step).ravel()
        return moved

    def _compiled(self) -> bool:
        """Whether there is a compiled pass over rows of such data."""
        sparse = issparse(self.X)
        return not sparse and self.n_outputs == 1 and self.loss.native_id is not None

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
        z = self._design.product(coef)
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
        return value, self._design.sums(slope), None if bend is None else bend.reshape(slope.shape)

    def _probabilities(self, slope: Floats) -> Floats:
        """Class probabilities recovered from the weighted slopes of a softmax."""
        p = slope.copy()
        if self.weight is not None:
            p /= np.where(self.weight > 0, self.weight, 1.0)[:, None]
        p[np.arange(len(self.y)), self.y] += 1.0
        return np.maximum(p, 0.0)
