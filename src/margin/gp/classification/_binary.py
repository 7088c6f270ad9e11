"""Approximations of a two-class Gaussian process: at the mode, or by matching moments."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.core.types import Floats
from margin.gp.classification._latent import Labels, LatentPosterior
from margin.gp.solvers._interface import Evaluation, Solver
from margin.inference import Likelihood, expectation_propagation, laplace


@dataclass(frozen=True)
class Laplace(Solver):
    r"""Normal approximation at the mode of the latent values (gp.12).

    .. math:: \log q(y) = \log p(y \mid \hat f) - \tfrac12 \hat f^\top K^{-1} \hat f
              - \tfrac12 \log\det B

    Parameters
    ----------
    likelihood : Likelihood
    positive : int
        Code of the class that has the label one; the others have minus one.
    """

    name: ClassVar[str] = "laplace"
    likelihood: Likelihood
    positive: int = 1

    def evaluate(self, kernel: Any, seen: Labels, *, gradient: bool = True) -> Evaluation:
        """Approximate log marginal likelihood and its gradient."""
        K = covariance(kernel, seen)
        mode = laplace(K, self.likelihood, seen.signs(self.positive), kernel)
        if not gradient or not len(kernel.theta):
            return Evaluation(mode.log_evidence, np.zeros(len(kernel.theta)))
        slope = kernel.gradient_product(seen.X, mode.prior_weight(K))
        return Evaluation(mode.log_evidence, slope)

    def condition(self, kernel: Any, seen: Labels) -> LatentPosterior:
        """Normal approximation of the latent function."""
        K = covariance(kernel, seen)
        mode = laplace(K, self.likelihood, seen.signs(self.positive), kernel)
        return LatentPosterior(seen.X, mode.dual, mode.root, mode.factor)


@dataclass(frozen=True)
class ExpectationPropagation(Solver):
    r"""Normal approximation by matching moments; more accurate than at the mode.

    Parameters
    ----------
    likelihood : Likelihood
        Probit moments are in closed form, logistic ones by quadrature.
    positive : int
        Code of the class that has the label one; the others have minus one.
    """

    name: ClassVar[str] = "ep"
    likelihood: Likelihood
    positive: int = 1

    def evaluate(self, kernel: Any, seen: Labels, *, gradient: bool = True) -> Evaluation:
        """Approximate log marginal likelihood and its gradient."""
        K = covariance(kernel, seen)
        match = expectation_propagation(K, self.likelihood, seen.signs(self.positive), kernel)
        if not gradient or not len(kernel.theta):
            return Evaluation(match.log_evidence, np.zeros(len(kernel.theta)))
        slope = kernel.gradient_product(seen.X, match.sites.prior_weight())
        return Evaluation(match.log_evidence, slope)

    def condition(self, kernel: Any, seen: Labels) -> LatentPosterior:
        """Normal approximation of the latent function."""
        K = covariance(kernel, seen)
        match = expectation_propagation(K, self.likelihood, seen.signs(self.positive), kernel)
        return LatentPosterior(seen.X, match.sites.dual, match.sites.root, match.sites.factor)


def covariance(kernel: Any, seen: Labels) -> Floats:
    """Covariance of the latent values of all rows."""
    return np.ascontiguousarray(kernel(seen.X), dtype=np.float64)
