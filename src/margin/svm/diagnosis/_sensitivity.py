"""How much the score of a machine depends on its price, its width and on noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

from margin.core import check, extra, random
from margin.core.types import Floats, Indices


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

    C: Floats
    gamma: Floats
    scores: Floats
    noise: Indices
    noise_scores: Floats

    @property
    def best(self) -> dict[str, float]:
        """Best ``C`` and ``gamma``."""
        i, j = np.unravel_index(int(self.scores.argmax()), self.scores.shape)
        return {"C": float(self.C[i]), "gamma": float(self.gamma[j])}

    @property
    def spread(self) -> float:
        """Difference between the best and the worst score over the grid."""
        return float(np.ptp(self.scores))

    @property
    def noise_loss(self) -> float:
        """Score lost with the most columns of noise."""
        return float(self.noise_scores[0] - self.noise_scores[-1])

    def __repr__(self) -> str:
        lines = [
            f"SensitivityReport: best {self.scores.max():.3f} at C={self.best['C']:.3g}, "
            f"gamma={self.best['gamma']:.3g}; spread over the grid {self.spread:.3f}"
        ]
        lines += [
            f"  {count:>4} columns of noise   {score:.3f}"
            for count, score in zip(self.noise, self.noise_scores, strict=True)
        ]
        return "\n".join(lines)

    def plot(self, ax: Any = None) -> Any:
        """Scores over the grid as a picture; returns the axes."""
        plt = extra("matplotlib.pyplot", "SensitivityReport.plot")
        if ax is None:
            _, ax = plt.subplots(figsize=(5, 4), layout="constrained")
        drawn = ax.pcolormesh(self.gamma, self.C, self.scores, shading="nearest")
        ax.set(xscale="log", yscale="log", xlabel="gamma", ylabel="C", title="mean score")
        ax.figure.colorbar(drawn, ax=ax)
        return ax


def sensitivity(
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    C: Sequence[float] = (0.1, 1.0, 10.0),
    gamma: Sequence[float] | None = None,
    noise: Sequence[int] = (0, 5, 20),
    cv: Any = 3,
    random_state: Any = 0,
) -> SensitivityReport:
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
    given = np.asarray(X, dtype=np.float64)
    if given.ndim != 2:
        raise check.fail("sensitivity", "X", "a table", f"shape {given.shape}")
    usual = np.array([0.1, 1.0, 10.0]) / (given.shape[1] * (float(given.var()) or 1.0))
    prices, widths = np.asarray(C, float), np.asarray(usual if gamma is None else gamma, float)
    counts = np.asarray(noise, np.int64)
    if not (len(prices) and len(widths) and len(counts)) or counts[0] != 0 or counts.min() < 0:
        raise check.fail("sensitivity", "C, gamma and noise", "not empty, noise from 0", counts)

    def score(table: Floats, **changes: float) -> float:
        return float(
            cross_val_score(clone(estimator).set_params(**changes), table, y, cv=cv).mean()
        )

    scores = np.array([[score(given, C=c, gamma=g) for g in widths] for c in prices])
    i, j = np.unravel_index(int(scores.argmax()), scores.shape)
    extra = random.generator(random_state).normal(size=(len(given), int(counts.max())))
    best = {"C": prices[i], "gamma": widths[j]}
    lost = [
        score(np.column_stack([given, extra[:, :k]]), **best) if k else scores[i, j] for k in counts
    ]
    return SensitivityReport(prices, widths, scores, counts, np.array(lost))
