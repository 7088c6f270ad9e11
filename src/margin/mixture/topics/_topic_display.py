"""Topics drawn with matplotlib."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from margin.core import extra
from margin.mixture.topics._held_out import top_words


@dataclass(eq=False)
class TopicDisplay:
    """The first words of every topic as bars of their probabilities.

    Parameters
    ----------
    words : list of list of str
        First words of each topic.
    probabilities : list of list of float
        Of those words.

    Attributes
    ----------
    axes_ : array of matplotlib axes
        One for each topic.
    figure_ : matplotlib figure

    Examples
    --------
    >>> shown = TopicDisplay.from_topics([[3.0, 1.0], [1.0, 1.0]], ["sea", "sky"], n_words=1)
    >>> shown.words, shown.probabilities
    ([['sea'], ['sea']], [[0.75], [0.5]])
    """

    words: list[list[str]]
    probabilities: list[list[float]]

    @classmethod
    def from_topics(
        cls, topics: ArrayLike, vocabulary: Any = None, *, n_words: int = 8
    ) -> TopicDisplay:
        """Of weights of words, a row for each topic."""
        table = np.asarray(topics, dtype=np.float64)
        table = table / table.sum(axis=1, keepdims=True)
        names = np.arange(table.shape[1]) if vocabulary is None else np.asarray(vocabulary)
        best = top_words(table, n_words)
        return cls(
            [[str(names[w]) for w in row] for row in best],
            np.take_along_axis(table, best, axis=1).tolist(),
        )

    @classmethod
    def from_estimator(
        cls, model: Any, vocabulary: Any = None, *, n_words: int = 8, ax: Any = None
    ) -> TopicDisplay:
        """Draw the topics of a fitted model.

        Parameters
        ----------
        model : LatentDirichletAllocation or HierarchicalDirichletProcess
        vocabulary : sequence of str, optional
            The words; the names of the columns by default.
        n_words : int, default=8
        ax : sequence of matplotlib axes, optional
        """
        check_is_fitted(model)
        names = getattr(model, "feature_names_in_", None) if vocabulary is None else vocabulary
        return cls.from_topics(model.components_, names, n_words=n_words).plot(ax=ax)

    def plot(self, *, ax: Any = None, n_columns: int = 5) -> TopicDisplay:
        """Draw a panel for each topic, into given axes or a new figure."""
        pyplot = extra("matplotlib.pyplot", "TopicDisplay")
        k = len(self.words)
        if ax is None:
            columns = min(n_columns, k)
            rows = -(-k // columns)
            height = 0.5 + 0.22 * len(self.words[0])
            _, grid = pyplot.subplots(
                rows,
                columns,
                figsize=(2.2 * columns, height * rows),
                sharex=True,
                squeeze=False,
                layout="constrained",
            )
            ax = grid.ravel()
            for empty in ax[k:]:
                empty.set_axis_off()
        self.axes_ = np.asarray(ax, dtype=object).ravel()
        for number, axes in enumerate(self.axes_[:k]):
            places = np.arange(len(self.words[number]))[::-1]
            axes.barh(places, self.probabilities[number], color=f"C{number % 10}", height=0.7)
            axes.set_yticks(places, self.words[number])
            axes.tick_params(length=0, labelsize=8)
            axes.set_title(f"topic {number}", fontsize=9)
            for side in ("top", "right", "left"):
                axes.spines[side].set_visible(False)
        self.figure_ = self.axes_[0].figure
        return self
