"""Things that are fitted and are no estimators: distributions, and files that are read."""

import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from margin import distributions
from margin.cli._errors import CommandError
from margin.cli._read import file
from margin.graphical import BayesianNetwork, MarkovNetwork

FAMILIES = (
    "Bernoulli", "Beta", "Binomial", "Categorical", "Dirichlet", "Empirical", "Exponential",
    "Gamma", "InverseGamma", "Laplace", "Multinomial", "MultivariateNormal", "Normal", "Poisson",
    "StudentT", "Uniform", "VonMises",
)  # fmt: skip
OF_COUNTS = ("Bernoulli", "Binomial", "Categorical", "Multinomial", "Poisson")
OF_ROWS = ("Dirichlet", "Multinomial", "MultivariateNormal", "Empirical")


class Law:
    """A family of distributions with the face of an estimator.

    Examples
    --------
    >>> law = Law("Normal").fit([[1.0], [3.0]])
    >>> law.mean_, law.score_samples([[2.0]]).shape
    (array([2.]), (1, 1))
    """

    def __init__(self, family: str) -> None:
        self.family = family

    def fit(self, X: Any, sample_weight: Any = None) -> "Law":
        """Fit the family to the rows, or to the columns each."""
        cls = getattr(distributions, self.family)
        self._law = cls.fit(self._given(cls, X, sample_weight))
        self.mean_ = np.where(self._has_mean(), self._law.mean, 0.0)
        np.asarray(self._law.var if hasattr(self._law, "var") else 0.0)
        return self

    def _has_mean(self) -> Any:
        """Where a mean exists: that of Student's t with heavy tails does not, and is NaN."""
        return np.asarray(getattr(self._law, "df", np.inf)) > 1

    def _given(self, cls: Any, X: Any, weight: Any) -> Any:
        return X if weight is None else cls.statistics(X, weight)

    def score_samples(self, X: Any) -> Any:
        """Log densities."""
        return self._law.log_prob(X)

    def transform(self, X: Any) -> Any:
        """Cumulative probabilities, where there are any."""
        return self._law.cdf(X) if hasattr(self._law, "cdf") else np.zeros(1)

    def predict(self, X: Any) -> Any:
        """Medians, or draws where there are none."""
        if hasattr(self._law, "quantile"):
            return self._law.quantile(0.5)
        return self._law.sample(3, np.random.default_rng(0))

    def __repr__(self) -> str:
        return f"distributions.{self.family}.fit"


class Reader:
    """A reader of files with the face of an estimator: it is fitted to bytes."""

    def __init__(self, name: str) -> None:
        self.name = name

    def fit(self, X: bytes) -> "Reader":
        """Read the bytes as a file of this kind."""
        READERS[self.name](X)
        return self

    def __repr__(self) -> str:
        return f"Reader({self.name!r})"


def _csv(content: bytes) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_bytes(content)
        try:
            return file(path)
        except CommandError:
            return None


READERS: dict[str, Callable[[bytes], Any]] = {
    "csv": _csv,
    "bif": lambda content: BayesianNetwork.from_bif(io.BytesIO(content)),
    "xmlbif": lambda content: BayesianNetwork.from_xmlbif(io.BytesIO(content)),
    "uai": lambda content: BayesianNetwork.from_uai(io.BytesIO(content)),
    "markov uai": lambda content: MarkovNetwork.from_uai(io.BytesIO(content)),
}
