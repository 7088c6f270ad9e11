"""Deterministic annealing: expectation maximisation from a flattened posterior to the true one."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from margin.core import Solution, Status, check
from margin.inference.em._expectation_maximisation import expectation_maximisation
from margin.inference.em._point import Expectation, Repaired
from margin.inference.em._restarts import best_start

P = TypeVar("P")


def annealed_em(
    expect: Callable[[P, float], Expectation[Any]],
    maximise: Callable[[Any, P], P | Repaired[P]],
    starts: Iterable[P],
    *,
    betas: Sequence[float] = (0.1, 0.2, 0.4, 0.6, 0.8),
    steps: int = 10,
    perturb: Callable[[P], P] | None = None,
    **options: Any,
) -> Solution:
    r"""Expectation maximisation that cools down (inference.30).

    At inverse temperature :math:`\beta` the E step takes shares in proportion to
    :math:`p(x, h)^\beta`, as :class:`Tempered` does: the smaller :math:`\beta`, the smoother the
    bound, and the less the answer depends on the start. After ``steps`` iterations at each of the
    ``betas`` an ordinary search (:math:`\beta = 1`, monotone) follows. Where it is hot causes may
    become the same, and where all share alike no step ever parts them: an ordinary search from the
    start itself is made as well, and the better of the two is the answer.

    Parameters
    ----------
    expect : callable
        ``expect(parameters, beta)`` is the E step at an inverse temperature.
    maximise : callable
        The M step.
    starts : iterable of parameters
        One search each, the best is kept.
    betas : sequence of float
        Rising inverse temperatures below 1.
    steps : int
        Iterations at each.
    perturb : callable, optional
        Moves parameters a little before every new temperature: causes that have become the same
        while it was hot could not part again.
    **options
        Of :func:`expectation_maximisation`, for the last search.

    Returns
    -------
    Solution
        Of the last search; ``extras["n_annealed"]`` counts the iterations before it, and
        ``extras["annealing_won"]`` tells whether they led to the answer.

    References
    ----------
    Ueda and Nakano (1998). Deterministic annealing EM algorithm. Neural Networks 11, 271-282.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.inference import Tempered
    >>> x = np.array([0.0, 1.0, 4.0, 5.0])
    >>> def expect(mean, beta):
    ...     share, bound = Tempered(beta)(-0.5 * (x[:, None] - mean) ** 2 - np.log(2))
    ...     return Expectation(bound.sum(), share)
    >>> def maximise(share, _):
    ...     return x @ share / share.sum(0)
    >>> annealed_em(expect, maximise, [np.array([4.9, 5.0])], tol=1e-12).x.round(3)
    array([0.504, 4.496])
    """
    cold = np.asarray(betas, dtype=np.float64)
    if cold.ndim != 1 or not len(cold) or not ((cold > 0) & (cold < 1)).all():
        raise check.fail("annealed_em", "betas", "numbers between 0 and 1", betas)
    if steps < 1:
        raise check.fail("annealed_em", "steps", "an integer of at least 1", steps)
    schedule = np.repeat(np.sort(cold), steps)

    def expect_cooling(at: tuple[P, int]) -> Expectation[Any]:
        return expect(at[0], float(schedule[min(at[1], len(schedule) - 1)]))

    def maximise_cooling(statistics: Any, at: tuple[P, int]) -> Any:
        new, step = maximise(statistics, at[0]), at[1] + 1
        parameters: Any = new.parameters if isinstance(new, Repaired) else new
        if perturb is not None and step % steps == 0:
            parameters = perturb(parameters)
        return (
            Repaired((parameters, step), new.repairs)
            if isinstance(new, Repaired)
            else (parameters, step)
        )

    def climb(start: P) -> Solution:
        # The bound depends on the temperature: the last point is the answer, not the highest.
        cooled = expectation_maximisation(
            expect_cooling,
            maximise_cooling,
            [(start, 0)],
            tol=None,
            max_iter=len(schedule),
            monotone=None,
            keep="last",
            callback=options.get("callback"),
        )
        parameters: Any = cooled.x
        if cooled.interrupted:
            return replace(cooled, x=parameters[0])
        failed = cooled.status is Status.FAILED
        last = expectation_maximisation(
            lambda at: expect(at, 1.0),
            maximise,
            [start] if failed else [parameters[0], start],
            **options,
        )
        won = not failed and last.extras["bounds"][0] == -last.objective
        return replace(
            last,
            repairs=(*cooled.repairs, *last.repairs) if won else last.repairs,
            extras={**last.extras, "n_annealed": cooled.n_iter, "annealing_won": won},
        )

    return best_start(climb, starts)
