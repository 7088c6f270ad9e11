"""Variational Bayes by the driver of expectation maximisation."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from margin.core import Solution
from margin.inference.em._expectation_maximisation import expectation_maximisation
from margin.inference.em._point import Expectation, Repaired

Q = TypeVar("Q")
S = TypeVar("S")


def variational_bayes(
    expect: Callable[[Q], Expectation[S]],
    maximise: Callable[[S, Q], Q | Repaired[Q]],
    starts: Iterable[Q],
    **options: Any,
) -> Solution:
    r"""A posterior of hidden parts and parameters, independent of each other (inference.31).

    .. math:: \log p(x) \ge \langle\log p(x, h \mid \theta)\rangle_{q(h) q(\theta)} + H(q(h))
              - \mathrm{KL}(q(\theta), p(\theta))

    The driver is :func:`expectation_maximisation`, where a belief about the parameters stands in
    the place of the parameters: the E step finds
    :math:`q(h) \propto \exp\langle\log p(x, h \mid \theta)\rangle_{q(\theta)}`, the M step the
    belief :math:`q(\theta) \propto p(\theta) \exp\langle\log p(x, h \mid \theta)\rangle_{q(h)}`,
    for conjugate families the posterior given expected statistics. Neither lowers the bound, which
    is checked. EM is the case of a belief that is a single point, without a prior.

    Parameters
    ----------
    expect : callable
        Belief to :class:`Expectation`: the bound above, divergence included, and the expected
        statistics.
    maximise : callable
        Statistics and the belief they come from to the new belief.
    starts : iterable of beliefs
    **options
        Of :func:`expectation_maximisation`.

    Returns
    -------
    Solution
        ``x`` is the belief, ``objective`` minus the bound.

    Examples
    --------
    Ten tosses of two coins as in :func:`expectation_maximisation`, with flat beliefs of the biases.

    >>> import numpy as np
    >>> from scipy.special import digamma
    >>> from margin.distributions import Beta
    >>> heads = np.array([5.0, 9.0, 8.0, 4.0, 7.0])[:, None]
    >>> def expect(q):
    ...     total = digamma(q.a + q.b)
    ...     log_joint = heads * (digamma(q.a) - total) + (10 - heads) * (digamma(q.b) - total)
    ...     norm = np.logaddexp.reduce(log_joint - np.log(2), axis=1, keepdims=True)
    ...     bound = norm.sum() - q.kl(Beta([1.0, 1.0], [1.0, 1.0])).sum()
    ...     return Expectation(bound, np.exp(log_joint - np.log(2) - norm))
    >>> def maximise(share, _):
    ...     return Beta(1 + heads.T[0] @ share, 1 + (10 - heads.T[0]) @ share)
    >>> solution = variational_bayes(expect, maximise, [Beta([6.0, 5.0], [4.0, 5.0])], tol=1e-9)
    >>> solution.x.mean.round(2), bool(solution.extras["smallest_step"] > 0)
    (array([0.77, 0.52]), True)
    """
    return expectation_maximisation(
        expect, maximise, starts, **{"solver": "variational Bayes", **options}
    )
