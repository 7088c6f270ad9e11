"""Gaussian process of several classes under one likelihood, approximated at the mode."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.core.types import Floats
from margin.gp.classification._binary import covariance
from margin.gp.classification._latent import Labels
from margin.gp.solvers._interface import Evaluation, Solver
from margin.inference import softmax_laplace
from margin.linalg import Cholesky


@dataclass(frozen=True)
class SoftmaxLaplace(Solver):
    r"""Normal approximation at the mode, one latent function per class, softmax likelihood."""

    name: ClassVar[str] = "laplace, softmax"

    def evaluate(self, kernel: Any, seen: Labels, *, gradient: bool = True) -> Evaluation:
        """Approximate log marginal likelihood and its gradient; all classes share the kernel."""
        K = covariance(kernel, seen)
        mode = softmax_laplace(K, seen.codes, seen.n_classes, kernel)
        if not gradient or not len(kernel.theta):
            return Evaluation(mode.log_evidence, np.zeros(len(kernel.theta)))
        slope = kernel.gradient_product(seen.X, mode.prior_weight(K))
        return Evaluation(mode.log_evidence, slope)

    def condition(self, kernel: Any, seen: Labels) -> "SoftmaxPosterior":
        """Normal approximation of the latent functions."""
        K = covariance(kernel, seen)
        mode = softmax_laplace(K, seen.codes, seen.n_classes, kernel)
        return SoftmaxPosterior(seen.X, mode.dual, mode.curvature.E, mode.curvature.total)


@dataclass(frozen=True, eq=False)
class SoftmaxPosterior:
    """Normal approximation of the latent functions of all classes."""

    X: Any
    dual: Floats
    E: Floats
    total: Cholesky

    def predict(self, kernel: Any, X: Any, diag: Floats) -> tuple[Floats, Floats]:
        """Means of shape (m, C) and covariances of shape (m, C, C) at new objects."""
        cross = np.asarray(kernel(X, self.X), dtype=np.float64)
        classes = len(self.E)
        halves, own = [], []
        for c in range(classes):
            b = self.E[c] @ cross.T
            own.append(diag - np.einsum("ij,ji->i", cross, b))
            halves.append(self.total.half_solve(b))
        stacked = np.stack(halves, axis=-1).transpose(1, 2, 0)
        cov = stacked @ stacked.transpose(0, 2, 1)
        cov[:, np.arange(classes), np.arange(classes)] += np.maximum(np.stack(own).T, 0.0)
        return cross @ self.dual, cov
