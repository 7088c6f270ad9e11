"""Thin-plate splines reduced to the space in which their side conditions hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, eigh, qr, solve_triangular
from scipy.spatial.distance import cdist

from margin.core.types import Floats, Places
from margin.linear.curves._cross_validation import strength_of_least_score
from margin.linear.curves._curve_data import DistinctPoints
from margin.linear.curves._spline_curve import LEAST_SLACK


def plate_kernel(A: Floats, B: Floats) -> Floats:
    """Kernel of the distances, by dimension.

    Examples
    --------
    >>> plate_kernel(np.zeros((1, 1)), np.array([[2.0]]))
    array([[8.]])
    """
    r = cdist(A, B)
    d = A.shape[1]
    if d == 1:
        return np.asarray(r**3)
    if d == 3:
        return np.asarray(-r)
    return np.asarray(r**2 * np.log(np.where(r > 0, r, 1.0)))


@dataclass(frozen=True, eq=False)
class PlateBasis:
    """Kernels and affine functions of distinct points, in units of their root weights.

    Parameters
    ----------
    points : ndarray of shape (n, p)
    kernel : ndarray of shape (n, n)
    centre, unit : ndarray of shape (p,)
        What the coordinates are counted from, and in.
    affine : ndarray of shape (n, p + 1)
        The constant and the coordinates so counted.
    root : ndarray of shape (n,)
        Square roots of the weights.
    span, free : ndarray of shape (n, r) and (n, n - r)
        Orthonormal basis of the affine functions times ``root``, and of the rest.
    triangle, order : ndarray of shape (r, r) and (r,)
        Affine functions in the former basis, and which of them are independent.
    inner : ndarray of shape (n - r, n - r)
        The kernel in the latter basis.
    """

    points: Floats
    kernel: Floats
    centre: Floats
    unit: Floats
    affine: Floats
    root: Floats
    span: Floats
    free: Floats
    triangle: Floats
    order: Places
    inner: Floats

    @classmethod
    def of(cls, points: Floats, weight: Floats) -> PlateBasis:
        """Basis of weighted points."""
        kernel = plate_kernel(points, points)
        # Far from the origin the constant would drown in the coordinates.
        centre = points.mean(axis=0)
        spread = np.abs(points - centre).max(axis=0, initial=0.0)
        unit = np.where(spread > 0, spread, 1.0)
        affine = _affine_functions(points, centre, unit)
        # In units of the root weights the penalised problem is an ordinary one.
        root = np.sqrt(weight)
        basis, triangle, order = qr(root[:, None] * affine, pivoting=True)
        size = np.abs(triangle.diagonal())
        rank = int(np.sum(size > 1e-10 * size.max(initial=0.0)))
        span, free = basis[:, :rank], basis[:, rank:]
        inner = free.T @ (kernel * np.outer(root, root)) @ free
        part = triangle[:rank, :rank]
        return cls(
            points, kernel, centre, unit, affine, root, span, free, part, order[:rank], inner
        )

    def eigen(self) -> tuple[Floats, Floats]:
        """Eigenvalues and eigenvectors of the inner kernel, zero what rounding may have made."""
        values, vectors = eigh(self.inner)
        size = float(np.linalg.norm(self.kernel * np.outer(self.root, self.root)))
        noise = max(1e-13 * values.max(initial=0.0), 4 * np.finfo(np.float64).eps * size)
        return np.where(values > noise, values, 0.0), vectors

    def plane(self, affine: Floats) -> tuple[float, Floats]:
        """The constant and the slopes of a sum of the affine functions."""
        slopes = affine[1:] / self.unit
        return float(affine[0] - self.centre @ slopes), slopes

    def variance(self, rows: Floats, alpha: float) -> Floats:
        r"""Posterior variance of the surface at rows, in units of the noise variance.

        The surface is the posterior mean of a process of generalised covariance
        :math:`\phi / \alpha` plus flat affine functions, seen with noise of variance
        :math:`1 / s_i`. Its best linear predictor has weights :math:`u` with
        :math:`\sum_i u_i (1, x_i) = (1, x)`, and the variance is the least value of
        :math:`\tfrac1\alpha (\phi(0) - 2 u^\top \phi(x) + u^\top \Phi u) + \sum_i u_i^2 / s_i`.
        """
        here = _affine_functions(rows, self.centre, self.unit)[:, self.order]
        start = self.span @ solve_triangular(self.triangle, here.T, trans="T")
        near = self.root[:, None] * plate_kernel(self.points, rows)
        bent = self.root[:, None] * (self.kernel @ (self.root[:, None] * start))
        value = np.sum(start * (bent - 2 * near), axis=0) / alpha + np.sum(start**2, axis=0)
        pull = self.free.T @ (near - bent)
        if len(self.inner):
            value = value - self._told(pull, alpha) / alpha
        return np.asarray(np.maximum(value, 0.0))

    def _told(self, pull: Floats, alpha: float) -> Floats:
        """Squares of columns in the inverse of the inner kernel with ``alpha`` on its diagonal."""
        try:
            factor = cho_factor(self.inner + alpha * np.eye(len(self.inner)))
            return np.asarray(np.sum(pull * cho_solve(factor, pull), axis=0))
        except LinAlgError:
            values, vectors = self.eigen()
            return np.asarray(_shares(values, alpha) @ (vectors.T @ pull) ** 2)


def _affine_functions(points: Floats, centre: Floats, unit: Floats) -> Floats:
    return np.column_stack([np.ones(len(points)), (points - centre) / unit])


def _shares(values: Floats, alpha: float) -> Floats:
    """Inverses of eigenvalues and ``alpha``, zero where rounding has taken the eigenvalue."""
    kept = values > 0
    return np.where(kept, 1.0 / np.where(kept, values + alpha, 1.0), 0.0)


@dataclass(frozen=True, eq=False)
class PlateSpectrum:
    """Targets in the basis in which every strength of the penalty is one division.

    Parameters
    ----------
    basis : PlateBasis
    data : DistinctPoints
    values, vectors : ndarray
        Eigenvalues and eigenvectors of the inner kernel.
    seen : ndarray
        The targets along the eigenvectors.
    """

    basis: PlateBasis
    data: DistinctPoints
    values: Floats
    vectors: Floats
    seen: Floats

    @classmethod
    def of(cls, basis: PlateBasis, data: DistinctPoints) -> PlateSpectrum:
        """Diagonalise."""
        values, vectors = basis.eigen()
        seen = vectors.T @ (basis.free.T @ (basis.root * data.mean))
        return cls(basis, data, values, vectors, seen)

    def best_alpha(self) -> float:
        """Strength of least score by generalised cross-validation."""
        if not self.values.size or self.values[-1] == 0:
            return 0.0
        top = float(self.values[-1])
        count = float(self.data.weight.sum())
        grid = np.linspace(-12, 4, 33)
        exponent = strength_of_least_score(lambda t: self.judge(top * 10.0**t), count, grid)
        return float(top * 10.0**exponent)

    def judge(self, alpha: float) -> tuple[float, float]:
        """Score of generalised cross-validation, of the affine fit or worse near interpolation.

        With it the degrees of freedom that the surface leaves.
        """
        n = float(self.data.weight.sum())
        kept = alpha / (self.values + alpha)
        slack = float(kept.sum()) + n - len(self.data.mean)
        if slack <= LEAST_SLACK * n:
            worst = n * (float(self.seen @ self.seen) + self.data.ties) / (LEAST_SLACK * n) ** 2
            return worst, slack
        return n * (float(np.sum((kept * self.seen) ** 2)) + self.data.ties) / slack**2, slack

    def solve(self, alpha: float) -> tuple[Floats, Floats, float]:
        """Coefficients of the kernels and of the affine part, and degrees of freedom."""
        basis = self.basis
        share = _shares(self.values, alpha)
        scaled = basis.free @ (self.vectors @ (share * self.seen))
        dual = basis.root * scaled
        rest = basis.root * (self.data.mean - basis.kernel @ dual) - alpha * scaled
        affine = np.zeros(basis.affine.shape[1])
        affine[basis.order] = solve_triangular(basis.triangle, basis.span.T @ rest)
        dof = basis.span.shape[1] + float(np.sum(self.values * share))
        return dual, affine, dof
