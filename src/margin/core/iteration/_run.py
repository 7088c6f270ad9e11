"""What the driver of iterative methods sees, and how it judges it."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from margin.core.iteration._solution import Certificate, FitError, Solution, Status
from margin.core.iteration._stop import Stop
from margin.core.progress import Callback
from margin.core.types import Floats

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_ROUNDING = 2.0 * float(np.finfo(np.float64).eps)
_INF = float(np.inf)


class Iterate(NamedTuple):
    """Where an iterative method stands; never changed afterwards.

    Parameters
    ----------
    x : Any
        The point, usually an array that nobody writes on any more.
    objective : float
        What is minimised, there.
    certificate : float or None
        What the rules call ``kind``, there; ``None`` where it was not measured.
    n_iter : int
        Iterations made so far, in the units of the rules. An iterate that repeats the number of
        the one before is a closer look at the same iteration: judged, not recorded.
    trace : tuple
        One value for each of the rules' ``columns``; a column called ``"objective"`` takes the
        place of the objective in the trace and for the callback.
    stuck : str
        Why no further iteration is possible; the search ends here.
    failed : str
        Why there is no answer; the search ends here.
    unfinished : bool
        Whether to go on even where the certificate holds.
    repairs : tuple of str
        All mends so far.
    extras : mapping
        By-products, kept if this is the answer.
    done : str
        Why no further iteration is needed; the search ends here, converged.
    """

    x: Any
    objective: float
    certificate: float | None = None
    n_iter: int = 0
    trace: tuple[Any, ...] = ()
    stuck: str = ""
    failed: str = ""
    unfinished: bool = False
    repairs: tuple[str, ...] = ()
    extras: Mapping[str, Any] = _NOTHING
    done: str = ""


Finish = Callable[[Iterate], Iterate]


class Run:
    """What was seen so far, and how it ended."""

    def __init__(self, stop: Stop, callback: Callback | None) -> None:
        self.stop, self.callback = stop, callback
        self.best: Iterate | None = None
        self.last: Iterate | None = None
        self.objectives: list[float] = []
        self.certificates: list[float] = []
        self.rows: list[tuple[Any, ...]] = []
        self.shown = stop.columns.index("objective") if "objective" in stop.columns else -1
        self.least, self.since = _INF, 0
        self.status: Status | None = None
        self.why, self.told, self.interrupted = "", "", False
        self.asked_to_end = False

    def see(self, at: Iterate) -> bool:
        """Take note of a state; whether the search has ended."""
        before, self.last = self.last, at
        new = before is None or at.n_iter > before.n_iter
        if new:
            self.objectives.append(at.objective)
            self.certificates.append(_INF if at.certificate is None else at.certificate)
            self.rows.append(at.trace)
        if self.best is None or self._better(at, self.best):
            self.best = at
        if new and at.n_iter and self.callback is not None:
            self.callback(at.n_iter, at.objective if self.shown < 0 else at.trace[self.shown])
        if self._judge(at, before, new):
            return True
        if self.asked_to_end:
            self.end_by(KeyboardInterrupt())
        return self.asked_to_end

    def _better(self, at: Iterate, best: Iterate) -> bool:
        if at.objective - at.objective != 0.0:  # not finite
            return False
        keep = self.stop.keep
        if keep == "lowest":
            return at.objective <= best.objective
        if keep == "closest":
            return at.certificate is not None and (
                best.certificate is None or at.certificate <= best.certificate
            )
        return True

    def _judge(self, at: Iterate, before: Iterate | None, new: bool) -> bool:
        stop, value = self.stop, at.certificate
        sound = at.objective - at.objective == 0.0 and (value is None or value - value == 0.0)
        if at.failed or not sound:
            told = at.failed or stop.broken(at.n_iter, at.objective, value)
            return self.end(Status.FAILED, told=told)
        if new and stop.monotone is not None and before is not None:
            rise = at.objective - before.objective
            excused = len(at.repairs) > len(before.repairs)
            if rise > stop.monotone * max(1.0, abs(before.objective)) and not excused:
                return self.end(Status.STALLED, told=stop.rose(at.n_iter, rise))
        if value is not None and stop.tol is not None and value <= stop.tol and not at.unfinished:
            self.best = at
            return self.end(Status.CONVERGED)
        if at.done:
            self.best = at
            return self.end(Status.CONVERGED, told=at.done)
        if at.stuck or self._impatient(value) or (new and self._resting()):
            return self.end(Status.STALLED, at.stuck or "objective and certificate are at rest")
        if at.n_iter >= stop.max_iter:
            return self.end(Status.MAX_ITER if stop.tol is not None else Status.CONVERGED)
        return False

    def _impatient(self, value: float | None) -> bool:
        stop = self.stop
        if not stop.patience or value is None:
            return False
        self.since = 0 if value < stop.progress * self.least else self.since + 1
        self.least = min(self.least, value)
        return self.since >= stop.patience and self.least <= stop.near

    def _resting(self) -> bool:
        stop, values = self.stop, self.certificates
        if not stop.rest or len(values) <= stop.rest:
            return False
        recent = self.objectives[-stop.rest - 1 :]
        if max(recent) - min(recent) > _ROUNDING * max(abs(recent[-1]), 1e-300):
            return False
        return min(values[-stop.rest :]) >= min(values[: -stop.rest])

    def ask_to_end(self) -> None:
        """Let the next state be the last: Ctrl-C has ended a search within this one."""
        self.asked_to_end = True

    def end(self, status: Status, why: str = "", told: str = "") -> bool:
        """End the search here; what is told is final, whatever the certificate says."""
        self.status, self.why, self.told = status, why, told
        return True

    def end_by(self, event: BaseException) -> None:
        """End the search that raised; without any state there is nothing to save."""
        if self.best is None:
            raise event
        self.interrupted = isinstance(event, KeyboardInterrupt)
        if self.interrupted:
            self.end(Status.MAX_ITER)
        else:
            self.end(Status.FAILED, told=str(event) or type(event).__name__)

    def solution(self, solver: str, finish: Finish | None) -> Solution:
        """The answer and the evidence for it."""
        stop, last, answer = self.stop, self.last, self.best
        if answer is None or last is None or self.status is None:
            raise FitError(f"{solver or 'iterate'}: the method gave no state at all")
        if finish is not None:
            answer = finish(answer)
            self.objectives[-1], self.rows[-1] = answer.objective, answer.trace
        status, certificate = self.status, None
        if answer.certificate is not None and stop.tol is not None:
            certificate = Certificate(stop.kind, float(answer.certificate), float(stop.tol))
            if certificate.holds and not self.told:
                status = Status.CONVERGED
        return Solution(
            x=answer.x,
            status=status,
            n_iter=last.n_iter,
            objective=float(answer.objective),
            trace=self._trace(),
            certificate=certificate,
            solver=solver,
            message=self._message(status, answer.certificate, last.n_iter),
            repairs=tuple(dict.fromkeys(last.repairs)),
            extras=dict(answer.extras),
            interrupted=self.interrupted,
        )

    def _trace(self) -> dict[str, Floats]:
        columns = {"objective": np.array(self.objectives)}
        for j, name in enumerate(self.stop.columns):
            columns[name] = np.array([row[j] for row in self.rows])
        return columns

    def _message(self, status: Status, value: float | None, n_iter: int) -> str:
        if self.told or status is Status.CONVERGED:
            return self.told
        if self.interrupted:
            return self.stop.interrupted(n_iter)
        if status is Status.STALLED:
            return self.stop.stalled(n_iter, value, self.why)
        return self.stop.cut_short(value)
