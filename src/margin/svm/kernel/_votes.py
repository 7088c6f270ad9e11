"""One answer from the scores of several machines."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from margin.core.types import Array, Floats, Places
from margin.svm.kernel._multiclass import class_scores, winner_by_elimination, winner_by_votes
from margin.svm.kernel._probability import calibrated, couple


@dataclass(frozen=True)
class Votes:
    """How the machines of a classifier answer together.

    Parameters
    ----------
    n_classes : int
    strategy : {"ovo", "ovr", "dag"}
        One machine per pair of classes that vote, one per class against all others, or pairs of
        which the loser leaves.
    shape : {"ovr", "ovo"}
        Whether decision values of pairs are shown for classes or for pairs.
    break_ties : bool
        Whether equal numbers of votes are decided by the decision values.

    Examples
    --------
    >>> Votes(3).codes(np.array([[1.0, 2.0, -1.0]]))
    array([0])
    """

    n_classes: int
    strategy: str = "ovo"
    shape: str = "ovr"
    break_ties: bool = True

    def decision(self, scores: Array) -> Array:
        """Decision values from the scores of the machines, of shape (n, n_machines)."""
        if self.n_classes == 2:
            return np.asarray(scores[:, 0])
        if self.strategy == "ovr" or self.shape == "ovo":
            return scores
        return class_scores(scores, self.n_classes)

    def codes(self, scores: Array) -> Places:
        """Class of every row."""
        if self.n_classes == 2:
            return np.asarray((scores[:, 0] > 0).astype(np.intp))
        if self.strategy == "ovr":
            return np.asarray(scores.argmax(axis=1))
        if self.strategy == "dag":
            return winner_by_elimination(scores, self.n_classes)
        if self.break_ties:
            return np.asarray(class_scores(scores, self.n_classes).argmax(axis=1))
        return winner_by_votes(scores, self.n_classes)

    def probabilities(
        self, scores: Array, method: str, calibrations: Sequence[tuple[Floats, Floats]]
    ) -> Floats:
        """Probability of every class, of shape (n, n_classes).

        Parameters
        ----------
        scores : ndarray of shape (n, n_machines)
        method : {"sigmoid", "isotonic"}
        calibrations : sequence of pairs of arrays, one per machine
        """
        columns = [calibrated(method, c, scores[:, k]) for k, c in enumerate(calibrations)]
        positive = np.column_stack(columns)
        if self.n_classes == 2:
            return np.column_stack([1.0 - positive[:, 0], positive[:, 0]])
        if self.strategy == "ovr":
            total = positive.sum(axis=1, keepdims=True)
            share = positive / np.where(total > 0, total, 1.0)
            return np.where(total > 0, share, 1.0 / self.n_classes)
        return couple(positive, self.n_classes)
