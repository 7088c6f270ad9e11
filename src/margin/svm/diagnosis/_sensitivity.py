"""How much the score of a machine depends on its price, its width and on noise."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

from margin.core import check, random


@dataclass(frozen=True, eq=False, repr=False)
class SensitivityReport:
    """Cross-validated scores around a machine (svm.20).

    Parameters
    ----------
    C, gamma : ndarray
        Values tried.
    scores : ndarray of shape (n_C, n_gamma)
        Mean score of every pair.
    noise : ndarray of int
        Numbers of columns of noise that were added.
    noise_scores : ndarray
        Mean score with them, at the best pair.
    """

    C: Any
    gamma: Any
    scores: Any
    noise: Any
    noise_scores: Any

    @property
    def best(self):
        """Best ``C`` and ``gamma``."""
        i, j = np.unravel_index(int(self.scores.argmax()), self.scores.shape)
        return {"C": float(self.C[i]), "gamma": float(self.gamma[j])}

    @property
    def spread(self):
        """Difference between the best and the worst score over the grid."""
        return float(np.ptp(self.scores))

    @property
    def noise_loss(self):
        """Score lost with the most columns of noise."""
        return float(self.noise_scores[0] - self.noise_scores[-1])

    def __repr__(self):
        lines = [
            f"SensitivityReport: best {self.scores.max():.3f} at C={self.best['C']:.3g}, "
            f"gamma={self.best['gamma']:.3g}; spread over the grid {self.spread:.3f}"
        ]
        lines += [
            f"  {count:>4} columns of noise   {score:.3f}"
            for count, score in zip(self.noise, self.noise_scores, strict=True)
        ]
        return "\n".join(lines)

    def plot(self, ax=None):
        """Scores over the grid as a picture; returns the axes."""
        import matplotlib.pyplot as plt

        if ax is None:
            _, ax = plt.subplots(figsize=(5, 4), layout="constrained")
        drawn = ax.pcolormesh(self.gamma, self.C, self.scores, shading="nearest")
        ax.set(xscale="log", yscale="log", xlabel="gamma", ylabel="C", title="mean score")
        ax.figure.colorbar(drawn, ax=ax)
        return ax


def sensitivity(
    estimator, X, y, *, C=(0.1, 1.0, 10.0), gamma=None, noise=(0, 5, 20), cv=3, random_state=0
):
    """Scores of a machine over ``C`` and ``gamma``, and with columns of noise (svm.20).

    Parameters
    ----------
    estimator : SVC or SVR
        The other parameters are kept.
    X, y : array-like
    C : sequence of float
    gamma : sequence of float, optional
        By default a tenth, once and ten times 1 / (n_features * variance).
    noise : sequence of int
        Numbers of standard normal columns to add, at the best pair; starts with 0.
    cv : int or splitter
    random_state : int, Generator or RandomState

    Returns
    -------
    SensitivityReport
    """
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2:
        raise check.fail("sensitivity", "X", "a table", f"shape {X.shape}")
    if gamma is None:
        gamma = np.array([0.1, 1.0, 10.0]) / (X.shape[1] * (float(X.var()) or 1.0))
    C, gamma, noise = np.asarray(C, float), np.asarray(gamma, float), np.asarray(noise, int)
    if not (len(C) and len(gamma) and len(noise)) or noise[0] != 0 or noise.min() < 0:
        raise check.fail("sensitivity", "C, gamma and noise", "not empty, noise from 0", noise)

    def score(table, **changes):
        return float(
            cross_val_score(clone(estimator).set_params(**changes), table, y, cv=cv).mean()
        )

    scores = np.array([[score(X, C=c, gamma=g) for g in gamma] for c in C])
    i, j = np.unravel_index(int(scores.argmax()), scores.shape)
    extra = random.generator(random_state).normal(size=(len(X), int(noise.max())))
    lost = [
        score(np.column_stack([X, extra[:, :k]]), C=C[i], gamma=gamma[j]) if k else scores[i, j]
        for k in noise
    ]
    return SensitivityReport(C, gamma, scores, noise, np.array(lost))
