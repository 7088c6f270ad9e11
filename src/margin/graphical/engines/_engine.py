"""What every engine behind a joint model can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from margin.core.types import Array
from margin.graphical.engines._named_tree import NamedTree

KINDS = ("marginal", "joint", "map", "mpe", "k-best", "sample")


@dataclass(frozen=True, eq=False)
class Question:
    """A question as :meth:`JointModel.query` takes it, options checked.

    Parameters
    ----------
    targets : str or sequence of str, optional
        Variables asked about; all where none are named.
    evidence : mapping, data frame or list of mappings, optional
        What is observed.
    kind : str
        One of ``KINDS``.
    k, n_samples : int
        How many assignments or draws.
    rng : Generator
        Of draws.
    """

    targets: Sequence[str] | str | None = None
    evidence: Any = None
    kind: str = "marginal"
    k: int = 1
    n_samples: int = 1
    rng: np.random.Generator = field(default_factory=np.random.default_rng)


class Engine(ABC):
    """Answers about one joint distribution; an intervention makes another engine."""

    @abstractmethod
    def query(self, question: Question) -> Any:
        """The answer to a question."""

    @abstractmethod
    def marginals(self, evidence: Any = None) -> dict[str, Any]:
        """Posterior of every variable."""

    @abstractmethod
    def log_prob(self, rows: Any) -> Any:
        """Log-probability (density) of rows, gaps summed out; one number for a mapping."""

    @abstractmethod
    def sample(self, n: int, evidence: Any, rng: np.random.Generator) -> dict[str, Array]:
        """Draws of everything, codes and values by name; of the posterior with evidence."""

    @abstractmethod
    def tree(self, names: Iterable[str]) -> NamedTree:
        """Junction tree for questions about these discrete variables."""
