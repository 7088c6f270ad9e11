"""What mixtures of any distributions answer."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import check, random
from margin.core.types import Floats, Places
from margin.distributions import MixtureDistribution
from margin.inference import Soft
from margin.mixture.families._family_steps import events


class FamilyModel(DensityMixin, BaseEstimator, ABC):
    """Densities, labels and draws of a fitted mixture of any distributions."""

    mixture_: MixtureDistribution
    weights_: Floats
    random_state: Any

    @abstractmethod
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit the mixture."""

    def score_samples(self, X: Any) -> Floats:
        """Log density of what was observed of every row, of shape (n_samples,)."""
        return np.asarray(logsumexp(self._joint(X), axis=1))

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log density of the rows."""
        return float(np.mean(self.score_samples(X)))

    def predict(self, X: Any) -> Places:
        """Most probable component of every row."""
        return np.asarray(np.argmax(self._joint(X), axis=1))

    def predict_proba(self, X: Any) -> Floats:
        """Probability of every component given each row, of shape (n_samples, n_components)."""
        return Soft()(self._joint(X)).share

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Places:
        """Fit the mixture and tell the most probable component of every row."""
        return self.fit(X, y, sample_weight).predict(X)

    def sample(self, n_samples: int = 1) -> tuple[Floats, Places]:
        """Draw rows, in the order of their components, and tell these."""
        check_is_fitted(self)
        if n_samples < 1:
            raise check.fail(self, "n_samples", "at least 1", n_samples)
        rng = random.generator(self.random_state)
        counts = rng.multinomial(n_samples, self.weights_)
        drawn = [
            np.reshape(c.sample(int(n), rng), (int(n), -1))
            for c, n in zip(self.mixture_.components, counts, strict=True)
            if n
        ]
        return np.concatenate(drawn), np.repeat(np.arange(len(counts)), counts)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _joint(self, X: Any) -> Floats:
        check_is_fitted(self)
        rows = events(self.mixture_, check.table(self, X, missing=True))
        with np.errstate(divide="ignore"):
            level = np.log(self.weights_)
        members = [c.log_prob_rows(rows) for c in self.mixture_.components]
        return np.asarray(np.stack(members, axis=1) + level)
