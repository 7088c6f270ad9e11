"""A sum of trees with its constants and its link: a value that predicts."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from scipy.special import expit, softmax

from margin.core import check, threads
from margin.core.types import Floats, Matrix
from margin.search.growing._forest import Forest

Link = Literal["identity", "logistic", "softmax", "exp", "softplus", "step", "argmax"]
LINKS = get_args(Link)


@dataclass(frozen=True, eq=False)
class TreeSum:
    r"""A sum of trees, ready for predictions and explanations, whoever grew them.

    .. math:: f(x) = b + s \sum_t T_t(x), \qquad \hat y = g(f(x))

    Parameters
    ----------
    forest : Forest
        The trees :math:`T_t`.
    base : tuple of float
        The constants :math:`b`, one per output.
    scale : float
        The factor :math:`s`; one over the number of trees where they are averaged.
    link : {"identity", "logistic", "softmax", "exp", "softplus", "step", "argmax"}
        The function :math:`g`; the last three are :math:`\log(1 + e^f)`, whether :math:`f > 0`, and
        the number of the largest output.
    feature_names : tuple of str
        Names of the columns, where they are known.
    source : str
        Where the trees come from.

    Examples
    --------
    >>> from margin.search import Forest, TreeSum
    >>> stump = Forest.of_tree(n_features=1, feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0],
    ...     left=[1, -1, -1], right=[2, -1, -1], value=[[0.0], [-1.0], [1.0]])
    >>> TreeSum(stump, base=(10.0,)).predict([[0.0], [1.0]])
    array([ 9., 11.])
    """

    forest: Forest
    base: tuple[float, ...] = (0.0,)
    scale: float = 1.0
    link: Link = "identity"
    feature_names: tuple[str, ...] = ()
    source: str = field(default="margin")

    def __post_init__(self) -> None:
        if len(self.base) != self.forest.n_outputs:
            need = f"{self.forest.n_outputs} numbers, one per output"
            raise check.fail(self, "base", need, self.base)
        if self.link not in LINKS:
            raise check.fail(self, "link", f"one of {', '.join(map(repr, LINKS))}", self.link)

    def raw(self, X: Matrix) -> Floats:
        """Sums of the trees before the link, of shape (n_rows, n_outputs)."""
        rows = np.asarray(X)
        if rows.dtype not in (np.float32, np.float64):
            rows = rows.astype(np.float64)
        if rows.ndim != 2 or rows.shape[1] != self.forest.n_features:
            need = f"a table of {self.forest.n_features} columns"
            raise check.fail(self, "X", need, rows.shape)
        total = self.forest.predict(rows, n_threads=threads.count())
        return np.asarray(np.array(self.base) + self.scale * total)

    def predict_proba(self, X: Matrix) -> Floats:
        """Probabilities of the classes, where the trees are those of a classifier.

        Several logistic outputs are one class against the rest each: they need not sum to 1.
        """
        raw = self.raw(X)
        if self.link == "logistic":
            share = np.asarray(expit(raw))
            return np.asarray(share if share.shape[1] > 1 else np.hstack([1.0 - share, share]))
        if self.link in ("softmax", "argmax"):
            return np.asarray(softmax(raw, axis=1))
        raise check.fail(self, "link", "logistic or softmax for probabilities", self.link)

    def predict(self, X: Matrix) -> Floats:
        """What the source would predict: numbers, probabilities of the second class, or of all."""
        raw = self.raw(X)
        if self.link == "softmax":
            return np.asarray(softmax(raw, axis=1))
        if self.link == "argmax":
            return np.asarray(raw.argmax(axis=1), dtype=np.float64)
        answer = _ELEMENTWISE[self.link](raw)
        return np.asarray(answer[:, 0] if answer.shape[1] == 1 else answer)


_ELEMENTWISE: dict[str, Callable[[Floats], Floats]] = {
    "identity": np.asarray,
    "logistic": expit,
    "exp": np.exp,
    "softplus": lambda raw: np.logaddexp(0.0, raw),
    "step": lambda raw: (raw > 0).astype(np.float64),
}
