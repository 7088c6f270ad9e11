"""What non-negative factorisation minimises."""

from dataclasses import dataclass
from typing import Any

from scipy.sparse import issparse

from margin.core.types import Bools, Floats
from margin.decomposition.sources._beta_divergence import beta_divergence


@dataclass(frozen=True)
class Factors:
    """Non-negative ``W`` of shape (n, k) and ``H`` of shape (k, p)."""

    W: Floats
    H: Floats


def advice(max_iter: int) -> tuple[str, ...]:
    """What to do about a search that was cut short, with scikit-learn's sentence."""
    theirs = f"Maximum number of iterations {max_iter} reached. Increase it to improve convergence."
    return (f"raise tol: {theirs}",)


@dataclass(frozen=True)
class NMFProblem:
    r"""A divergence of the observed entries and an elastic net on either factor.

    .. math:: D_\beta(X, W H) + \lambda_W \|W\|_1 + \tfrac12 \mu_W \|W\|_F^2 + \lambda_H \|H\|_1 +
              \tfrac12 \mu_H \|H\|_F^2

    ``X`` is dense with zeros where nothing was observed, or sparse; ``seen`` is None where all was.
    """

    X: Any
    seen: Bools | None = None
    beta: float = 2.0
    lasso_weights: float = 0.0
    lasso_parts: float = 0.0
    ridge_weights: float = 0.0
    ridge_parts: float = 0.0
    fixed_parts: bool = False

    def divergence(self, W: Floats, H: Floats) -> float:
        """The divergence, entry by entry."""
        dense = self.X.toarray() if issparse(self.X) else self.X
        return beta_divergence(dense, W @ H, self.beta, self.seen)

    def penalty(self, W: Floats, H: Floats) -> float:
        """The elastic nets; that of a fixed factor too."""
        total = 0.0
        for factor, lasso, ridge in (
            (W, self.lasso_weights, self.ridge_weights),
            (H, self.lasso_parts, self.ridge_parts),
        ):
            total += lasso * float(factor.sum()) if lasso else 0.0
            total += 0.5 * ridge * float((factor**2).sum()) if ridge else 0.0
        return total
