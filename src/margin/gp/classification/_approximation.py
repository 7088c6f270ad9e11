"""Which approximation serves how many classes, and what its latent functions say of them."""

from dataclasses import dataclass

import numpy as np

from margin.core.types import Floats
from margin.gp.classification._averages import average_softmax
from margin.gp.classification._binary import ExpectationPropagation, Laplace
from margin.gp.classification._one_vs_one import OneVsOne
from margin.gp.classification._one_vs_rest import OneVsRest
from margin.gp.classification._softmax import SoftmaxLaplace
from margin.gp.solvers._interface import Solver
from margin.inference import Likelihood, LogisticLikelihood, ProbitLikelihood

LIKELIHOODS: dict[str, Likelihood] = {
    "logistic": LogisticLikelihood(),
    "probit": ProbitLikelihood(),
}
INFERENCES = ("laplace", "ep")
MULTI_CLASS = ("auto", "softmax", "one_vs_rest", "one_vs_one")


@dataclass(frozen=True)
class Approximation:
    """How the posterior of the latent functions is approximated.

    Parameters
    ----------
    likelihood : str
        A key of ``LIKELIHOODS``.
    inference : str
        One of ``INFERENCES``.
    multi_class : str
        One of ``MULTI_CLASS``, for more than two classes.
    """

    likelihood: str
    inference: str
    multi_class: str

    @property
    def knows_softmax(self) -> bool:
        """Whether one likelihood can serve all classes."""
        return self.likelihood == "logistic" and self.inference == "laplace"

    def solver(self, n_classes: int) -> Solver:
        """The approximation for so many classes."""
        kind = Laplace if self.inference == "laplace" else ExpectationPropagation
        binary: Laplace | ExpectationPropagation = kind(LIKELIHOODS[self.likelihood])
        if n_classes == 2:
            return binary
        if self.multi_class == "one_vs_one":
            return OneVsOne(binary)
        if self.knows_softmax and self.multi_class != "one_vs_rest":
            return SoftmaxLaplace()
        return OneVsRest(binary)

    def probabilities(self, mean: Floats, spread: Floats) -> Floats:
        """Probability of every class, averaged over the latent functions (gp.13).

        Parameters
        ----------
        mean : ndarray of shape (m,) for two classes, else (m, C)
        spread : ndarray
            Variances in the shape of the mean, or covariances (m, C, C).

        Examples
        --------
        >>> way = Approximation("probit", "ep", "auto")
        >>> way.probabilities(np.array([1.0]), np.array([3.0])).round(6)
        array([[0.308538, 0.691462]])
        """
        if spread.ndim == 3:
            return average_softmax(mean, spread)
        average = LIKELIHOODS[self.likelihood].average
        if mean.ndim == 1:
            return np.column_stack([average(-mean, spread), average(mean, spread)])
        each = np.stack([average(m, v) for m, v in zip(mean.T, spread.T, strict=True)], axis=1)
        return np.asarray(each / each.sum(axis=1, keepdims=True))
