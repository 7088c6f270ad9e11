"""Bayes' rule with any class-conditional density."""

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Card, Solution, Status, atomic, check
from margin.core.types import Floats, Matrix, Places
from margin.distributions import MultivariateNormal
from margin.linear._class_priors import class_priors
from margin.linear._generative_classifier import GenerativeClassifier
from margin.linear._log_domain import log
from margin.linear.discriminant._class_density import automatic_prior, class_density


class BayesClassifier(GenerativeClassifier):
    r"""Bayes' rule with a density of your choice for every class (linear.42); NaN is unobserved.

    A row goes to the class with the largest :math:`\pi_k\, p(x \mid k)`, where each density is
    fitted to the rows of its class: by maximum likelihood, by the mode of a posterior, or with the
    parameters integrated out, :math:`p(x \mid k) = \int p(x \mid \theta) p(\theta \mid D_k)
    d\theta`.

    Parameters
    ----------
    density : class, default=None
        Family of :mod:`margin.distributions` with ``statistics`` and ``fit``; ``None`` is
        :class:`~margin.distributions.MultivariateNormal`. One whose ``log_prob`` has a value per
        column is taken as a product.
    estimate : {"map", "ml", "bayes"}, default="map"
        How the density of a class is found. ``"ml"`` needs no prior, ``"bayes"`` a prior whose
        posterior has a ``predictive``.
    prior : object or "auto", default="auto"
        Prior of the parameters, the same for every class; ``"auto"`` is conjugate to a normal
        density, at the mean and the variances over all classes and worth one row more than needed
        to be proper.
    priors : array-like of shape (n_classes,) or "uniform", optional
        Class priors; frequencies when absent (linear.25).

    Attributes
    ----------
    classes_, priors_ : ndarray of shape (n_classes,)
        Labels and their priors.
    densities_ : list
        Density of each class.
    fit_report_ : FitReport
        Mean negative log joint likelihood of the training rows.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    Rows with NaN are completed by expectation maximisation where the density needs whole rows.

    Examples
    --------
    >>> from margin.distributions import Normal
    >>> from margin.linear import BayesClassifier
    >>> model = BayesClassifier(density=Normal, estimate="ml")
    >>> model.fit([[1.0], [2.0], [3.0], [7.0], [9.0]], [0, 0, 0, 1, 1]).densities_
    [Normal(mean=[2.], std=[0.8165]), Normal(mean=[8.], std=[1.])]
    >>> model.predict([[3.5], [8.0]])
    array([0, 1])
    """

    card = Card(
        tasks=("classification",), cost="linear", search_space={"priors": [None, "uniform"]}
    )

    def __init__(
        self,
        *,
        density: Any = None,
        estimate: Literal["map", "ml", "bayes"] = "map",
        prior: Any = "auto",
        priors: ArrayLike | str | None = None,
    ) -> None:
        self.density = density
        self.estimate = estimate
        self.prior = prior
        self.priors = priors

    @atomic
    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit a density to every class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        check.params(self, one_of={"estimate": ("ml", "map", "bayes")})
        family = MultivariateNormal if self.density is None else self.density
        if not (hasattr(family, "statistics") and hasattr(family, "fit")):
            raise check.fail(self, "density", "a family with statistics and fit", self.density)
        X, y, weight = check.data(self, X, y, sample_weight, target="classes", missing=True)
        labels, code = check.classes(self, y)
        weight = np.ones(len(X)) if weight is None else weight
        total = np.bincount(code, weights=weight).astype(np.float64)
        if (total == 0).any():
            raise check.fail(self, "sample_weight", "above 0 in every class", "a class without")
        rows = np.asarray(X, dtype=np.float64)
        prior = self._chosen_prior(family, rows, weight)

        self.classes_, self.priors_ = labels, class_priors(self, self.priors, total)
        self.densities_ = [
            class_density(self, family, rows[code == k], weight[code == k], prior, self.estimate)
            for k in range(len(total))
        ]
        own = self._joint(rows)[np.arange(len(code)), code]
        objective = -float(weight @ np.where(weight > 0, own, 0.0)) / float(weight.sum())
        solution = Solution(
            x=np.empty(0),
            status=Status.CONVERGED,
            n_iter=1,
            objective=objective,
            solver=f"{self.estimate} estimate of {family.__name__} in every class",
        )
        self.fit_report_ = check.report(self, solution)
        return self

    def _chosen_prior(self, family: Any, X: Floats, weight: Floats) -> Any:
        """The prior asked for, a weak one from all rows, or none."""
        automatic = isinstance(self.prior, str) and self.prior == "auto"
        if not (automatic or hasattr(self.prior, "posterior")):
            raise check.fail(self, "prior", '"auto" or a prior with a posterior', self.prior)
        if self.estimate == "ml":
            return None
        if not automatic:
            return self.prior
        prior = automatic_prior(family, X, weight)
        if prior is None:
            need = f"given for the density {family.__name__}"
            raise check.fail(self, "prior", need, self.prior)
        return prior

    def _joint(self, X: Floats) -> Floats:
        joint = np.empty((len(X), len(self.classes_)))
        for k, density in enumerate(self.densities_):
            value = density.log_prob(X)
            joint[:, k] = value if value.ndim == 1 else value.sum(axis=1)
        return np.asarray(joint + log(self.priors_))

    def log_joint(self, X: Matrix) -> Floats:
        """Logarithm of prior times density, for every row and class."""
        return self._joint(np.asarray(check.table(self, X, missing=True), dtype=np.float64))

    def _draw(self, code: Places, rng: np.random.Generator) -> Floats:
        X = np.empty((len(code), self.n_features_in_))
        for k, density in enumerate(self.densities_):
            X[code == k] = density.sample(int(np.sum(code == k)), rng)
        return X

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
