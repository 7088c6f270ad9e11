"""The one loop of expectation maximisation."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.progress import Callback
from margin.inference.em._measures import Measure, RelativeGain
from margin.inference.em._point import AnyPoint, Expectation, Point, Repaired
from margin.inference.em._restarts import best_start

P = TypeVar("P")
S = TypeVar("S")
_ROUNDING = 1e-9


def expectation_maximisation(
    expect: Callable[[P], Expectation[S]],
    maximise: Callable[[S, P], P | Repaired[P]],
    starts: Iterable[P],
    *,
    tol: float | None = 1e-6,
    max_iter: int = 500,
    measure: Measure | None = None,
    accelerate: Callable[..., P | None] | None = None,
    monotone: float | None = _ROUNDING,
    keep: Literal["lowest", "last"] = "lowest",
    unit: str = "iteration",
    advice: tuple[str, ...] = ("raise tol",),
    solver: str = "expectation maximisation",
    callback: Callback | None = None,
) -> Solution:
    r"""Climb the likelihood of a model with hidden parts (inference.28).

    .. math:: \log p(x \mid \theta) = L(q, \theta) + \mathrm{KL}(q, p(h \mid x, \theta)), \qquad
              L(q, \theta) = \langle \log p(x, h \mid \theta) \rangle_q + H(q)

    The E step finds :math:`q` and with it the bound :math:`L`; the M step finds :math:`\theta`.
    Neither lowers the bound, which is checked. The maximum is a local one: give several starts.
    Variants are other functions: the shares of :class:`Hard` give classification EM, of
    :class:`Truncated` an approximate E step, of :class:`Drawn` stochastic EM (with
    ``monotone=None``); an M step that only improves gives generalised EM, one that searches part
    of the parameters constrained EM; :class:`OnlineSteps` look at a batch at a time
    (inference.30).

    Parameters
    ----------
    expect : callable
        The E step: parameters to :class:`Expectation`, the bound there and the statistics.
    maximise : callable
        The M step: statistics and the parameters they come from to new parameters, or
        :class:`Repaired` parameters.
    starts : iterable of parameters
        One search each, the best is kept. It may be a generator that draws them.
    tol : float or None
        Measured value that counts as converged; ``None`` to make ``max_iter`` iterations.
    max_iter : int
        Most iterations of a search; each is one M step and one E step.
    measure : Measure, optional
        What is measured: :class:`RelativeGain` of the bound (the default), :class:`LargestChange`
        of a parameter, or your own.
    accelerate : callable, optional
        Proposes parameters from three in a row, as :class:`Squarem` does, or from as many as its
        ``n_points`` says, as :class:`Anderson`; accepted only where the bound does not fall, at
        the price of one E step.
    monotone : float or None
        Share of its size that rounding may lower the bound by; one that falls further ends the
        search as STALLED. ``None`` where the bound may fall.
    keep : {"lowest", "last"}
        Which parameters are the answer of a search that did not converge: those of the highest
        bound (the lowest objective), or the last.
    unit, advice, solver : str, tuple of str, str
        Words for the report.
    callback : callable, optional
        Called as ``callback(iteration, -bound)``.

    Returns
    -------
    Solution
        ``x`` are the parameters, ``objective`` is minus the bound there. ``extras`` hold the
        ``statistics`` there, the ``smallest_step`` of the bound, the ``bounds`` that the starts
        led to, and the number ``n_accelerated`` of accepted proposals. After Ctrl-C it is the best
        so far.

    Notes
    -----
    A few microseconds per iteration beside the steps themselves.

    Examples
    --------
    Two coins, one of them drawn for every row of ten tosses; 5, 9, 8, 4 and 7 heads.

    >>> import numpy as np
    >>> from margin.inference import Expectation, expectation_maximisation
    >>> heads = np.array([5.0, 9.0, 8.0, 4.0, 7.0])
    >>> def expect(bias):
    ...     joint = bias ** heads[:, None] * (1 - bias) ** (10 - heads[:, None]) / 2
    ...     return Expectation(np.log(joint.sum(1)).sum(), joint / joint.sum(1, keepdims=True))
    >>> def maximise(share, bias):
    ...     return heads @ share / (10 * share.sum(0))
    >>> solution = expectation_maximisation(expect, maximise, [np.array([0.6, 0.5])], tol=1e-9)
    >>> solution.status.value, solution.x.round(2), bool(solution.extras["smallest_step"] > 0)
    ('converged', array([0.8 , 0.52]), True)
    """
    method = _Method(expect, maximise, measure or RelativeGain(), accelerate)
    stop = Stop(
        method.measure.kind,
        tol,
        max_iter,
        unit=unit,
        keep=keep,
        columns=("smallest_step",),
        monotone=monotone,
        advice=advice,
    )

    def climb(start: P) -> Solution:
        return _told(iterate(method.states(start), stop, solver=solver, callback=callback))

    return best_start(climb, starts)


@dataclass(frozen=True)
class _Method:
    """The steps; see :func:`expectation_maximisation`."""

    expect: Callable[[Any], Expectation[Any]]
    maximise: Callable[[Any, Any], Any]
    measure: Measure
    accelerate: Callable[..., Any | None] | None

    def states(self, start: Any) -> Iterator[Iterate]:
        """The start and the point after every iteration, and every proposal that was accepted."""
        at = self._at(start)
        path, n_iter, smallest = [at], 0, np.inf
        wanted = getattr(self.accelerate, "n_points", 3)
        repairs: tuple[str, ...] = ()
        seen = Iterate(
            at.parameters,
            -at.bound,
            self.measure(None, at),
            trace=(smallest,),
            extras={"statistics": at.statistics, "n_accelerated": 0},
        )
        yield seen
        while True:
            before, n_iter = at, n_iter + 1
            new = self.maximise(before.statistics, before.parameters)
            if isinstance(new, Repaired):
                new, repairs, path = new.parameters, (*repairs, *new.repairs), []
            at = self._at(new)
            path.append(at)
            smallest = min(smallest, at.bound - before.bound)
            seen = Iterate(
                at.parameters,
                -at.bound,
                self.measure(before, at),
                n_iter,
                trace=(smallest,),
                repairs=repairs,
                extras={**seen.extras, "statistics": at.statistics},
            )
            yield seen
            if self.accelerate is None or len(path) < wanted:
                continue
            proposed = self._proposed(path)
            if proposed is not None:
                at = proposed
                seen = _leap(seen, at)
                yield seen
            path = [at]

    def _at(self, parameters: Any) -> AnyPoint:
        bound, statistics = self.expect(parameters)
        return Point(parameters, float(bound), statistics)

    def _proposed(self, path: list[AnyPoint]) -> AnyPoint | None:
        """The point that the acceleration proposes, unless its bound is lower."""
        assert self.accelerate is not None
        parameters = self.accelerate(*(p.parameters for p in path))
        if parameters is None:
            return None
        proposed = self._at(parameters)
        return proposed if path[-1].bound <= proposed.bound < np.inf else None


def _leap(seen: Iterate, at: AnyPoint) -> Iterate:
    """The state after an accepted proposal: the same iteration, nothing measured."""
    extras = {
        **seen.extras,
        "statistics": at.statistics,
        "n_accelerated": seen.extras["n_accelerated"] + 1,
    }
    return seen._replace(x=at.parameters, objective=-at.bound, certificate=None, extras=extras)


def _told(solution: Solution) -> Solution:
    """The smallest step of the bound, out of the trace into the extras."""
    trace = dict(solution.trace)
    smallest = float(trace.pop("smallest_step")[-1])
    return replace(solution, trace=trace, extras={**solution.extras, "smallest_step": smallest})
