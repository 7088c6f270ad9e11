"""What a single wrong label does to a classifier."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from margin.core import check, random
from margin.core.types import Array


@dataclass(frozen=True)
class Spikes:
    """Answers to labels that were changed one at a time.

    A classifier that follows every change and alters nearly nothing else is spiky: noise stays
    where it is. One that follows and alters much lets noise spread; one that does not follow
    smooths it away.

    Parameters
    ----------
    interpolated : float
        Share of all training rows that the unchanged classifier answers as they are labelled.
    followed : float
        Share of the changed rows whose new label is predicted.
    volume : float
        Mean share of the other points whose prediction changes with one label.
    """

    interpolated: float
    followed: float
    volume: float

    @property
    def spikiness(self) -> float:
        """Share followed without spreading, ``followed * (1 - volume)``, between 0 and 1."""
        return self.followed * (1.0 - self.volume)


def spikes(
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    n_flips: int = 10,
    points: ArrayLike | None = None,
    random_state: Any = None,
) -> Spikes:
    """Change one label at a time, train again, and see where predictions change (tree.18).

    Parameters
    ----------
    estimator : classifier
        Cloned for every training.
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        Labels of at least two classes.
    n_flips : int, default=10
        Labels to change, each by itself.
    points : array-like of shape (n_points, n_features), optional
        Where to look; 2 000 points spread evenly over the range of the rows by default.
    random_state : int, Generator or RandomState, optional
        Which rows, which labels, which points.

    Returns
    -------
    Spikes

    Notes
    -----
    ``n_flips + 1`` trainings.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import LogisticRegression
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> seen = spikes(LogisticRegression(), X, X[:, 0] > 0, random_state=0)
    >>> seen.followed < 0.5, seen.interpolated
    (True, 1.0)
    """
    rows, labels = np.asarray(X, dtype=np.float64), np.asarray(y)
    classes, codes = check.classes("spikes", labels)
    if not 1 <= n_flips <= len(codes):
        raise check.fail("spikes", "n_flips", f"between 1 and {len(codes)}", n_flips)
    rng = random.generator(random_state)
    if points is None:
        low, high = rows.min(axis=0), rows.max(axis=0)
        where = rng.uniform(low, high, size=(2000, rows.shape[1]))
    else:
        where = np.asarray(points, dtype=np.float64)

    before = clone(estimator).fit(rows, labels)
    interpolated = float(np.mean(before.predict(rows) == labels))
    usual = before.predict(where)
    followed, moved = [], []
    for row in rng.choice(len(codes), size=n_flips, replace=False):
        changed: Array = codes.copy()
        changed[row] = (codes[row] + rng.integers(1, len(classes))) % len(classes)
        after = clone(estimator).fit(rows, classes[changed])
        followed.append(after.predict(rows[row : row + 1])[0] == classes[changed[row]])
        moved.append(np.mean(after.predict(where) != usual))
    return Spikes(interpolated, float(np.mean(followed)), float(np.mean(moved)))
