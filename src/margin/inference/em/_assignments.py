"""E steps over a hidden choice: how much of every row each of several causes is given."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from margin.core import check
from margin.core.types import Floats


class Shares(NamedTuple):
    """What a choice of causes returns.

    Parameters
    ----------
    share : ndarray of shape (n, k)
        How much of every row belongs to each cause; rows sum to one.
    bound : ndarray of shape (n,)
        Lower bound of the log-probability of every row under these shares.
    """

    share: Floats
    bound: Floats


class Assignment(ABC):
    r"""The E step of a model in which every row has one of ``k`` hidden causes (inference.30).

    From :math:`\log p(x_i, h)` to shares :math:`q_i(h)` and the bound
    :math:`\sum_h q_i(h) [\log p(x_i, h) - \log q_i(h)]`. All but :class:`Drawn` maximise it within
    what they allow, so that expectation maximisation never lowers it.
    """

    monotone = True

    @abstractmethod
    def __call__(self, log_joint: Floats) -> Shares:
        """Shares of every row of a table of shape (n, k); ``-inf`` is a cause that cannot be."""


@dataclass(frozen=True)
class Soft(Assignment):
    """The posterior itself: plain expectation maximisation, the bound is the log-likelihood.

    Examples
    --------
    >>> import numpy as np
    >>> share, bound = Soft()(np.log([[0.1, 0.3]]))
    >>> share.round(6), bound.round(6)
    (array([[0.25, 0.75]]), array([-0.916291]))
    """

    def __call__(self, log_joint: Floats) -> Shares:
        """The posterior of the causes of every row."""
        return _normalised(np.asarray(log_joint, dtype=np.float64))


@dataclass(frozen=True)
class Hard(Assignment):
    """All of a row to its most probable cause: classification EM, of which k-means is a case.

    Examples
    --------
    >>> import numpy as np
    >>> Hard()(np.log([[0.1, 0.3]])).share
    array([[0., 1.]])
    """

    def __call__(self, log_joint: Floats) -> Shares:
        """One cause for every row, the first of equals."""
        return _one_each(log_joint, np.argmax(log_joint, axis=1))


@dataclass(frozen=True)
class Truncated(Assignment):
    """The posterior among the most probable causes only: an approximate E step.

    One cause is :class:`Hard`, all of them are :class:`Soft`.

    Parameters
    ----------
    n_kept : int
        How many causes of a row have a share.

    Examples
    --------
    >>> import numpy as np
    >>> Truncated(2)(np.log([[0.1, 0.3, 0.6]])).share.round(6)
    array([[0.      , 0.333333, 0.666667]])
    """

    n_kept: int

    def __post_init__(self) -> None:
        check.params(self, count="n_kept")

    def __call__(self, log_joint: Floats) -> Shares:
        """Shares among the best causes of every row."""
        table = np.array(log_joint, dtype=np.float64)
        if self.n_kept < table.shape[1]:
            order = np.argsort(-table, axis=1, kind="stable")
            np.put_along_axis(table, order[:, self.n_kept :], -np.inf, axis=1)
        return _normalised(table)


@dataclass(frozen=True, eq=False)
class Drawn(Assignment):
    """A cause drawn from the posterior of every row: stochastic EM, whose bound may fall.

    Parameters
    ----------
    rng : numpy.random.Generator

    Examples
    --------
    >>> import numpy as np
    >>> Drawn(np.random.default_rng(0))(np.log([[0.0001, 0.9999]])).share
    array([[0., 1.]])
    """

    rng: np.random.Generator
    monotone = False

    def __call__(self, log_joint: Floats) -> Shares:
        """One cause for every row, drawn with its probability."""
        reached = np.cumsum(_normalised(np.asarray(log_joint, dtype=np.float64)).share, axis=1)
        level = self.rng.random((len(reached), 1)) * reached[:, -1:]
        return _one_each(log_joint, np.argmax(reached > level, axis=1))


@dataclass(frozen=True)
class Tempered(Assignment):
    r"""The posterior flattened, :math:`q \propto p^\beta`: a stage of deterministic annealing.

    Its bound, :math:`\langle\log p\rangle_q + H(q) / \beta`, has fewer maxima the smaller
    :math:`\beta` is; at 1 it is that of :class:`Soft`, for large :math:`\beta` of :class:`Hard`.

    Parameters
    ----------
    beta : float
        Inverse temperature.

    Examples
    --------
    >>> import numpy as np
    >>> Tempered(0.5)(np.log([[0.1, 0.4]])).share.round(6)
    array([[0.333333, 0.666667]])
    """

    beta: float = 1.0

    def __post_init__(self) -> None:
        check.params(self, positive="beta")

    def __call__(self, log_joint: Floats) -> Shares:
        """Shares that favour no cause as much as the posterior does."""
        share, bound = _normalised(self.beta * np.asarray(log_joint, dtype=np.float64))
        return Shares(share, bound / self.beta)


def _normalised(table: Floats) -> Shares:
    """Shares in proportion to the exponentials; even where no cause is possible."""
    most = table.max(axis=1, keepdims=True)
    nowhere = np.isneginf(most)
    share = np.exp(table - np.where(nowhere, 0.0, most))
    share[nowhere[:, 0]] = 1.0
    total = share.sum(axis=1, keepdims=True)
    bound = np.where(nowhere, -np.inf, most + np.log(total))[:, 0]
    return Shares(share / total, bound)


def _one_each(log_joint: Floats, cause: np.ndarray) -> Shares:
    share = np.zeros(np.shape(log_joint))
    rows = np.arange(len(share))
    share[rows, cause] = 1.0
    return Shares(share, np.asarray(log_joint, dtype=np.float64)[rows, cause])
