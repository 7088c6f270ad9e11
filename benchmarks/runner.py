"""Run one case at one size: who takes part, how far each must go, how long, how much memory."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from benchmarks import load, memory, timing
from benchmarks.case import Case, Contestant, Setting, Size

Say = Callable[[str], None]


@dataclass
class Entry:
    """What is known about one contestant at one size; becomes one object of the JSON file."""

    contestant: Contestant
    setting: Setting
    status: str = "ok"
    reason: str = ""
    objective: float | None = None
    certificate: float | None = None
    times: dict[str, Any] = field(default_factory=dict)
    extra_mib: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "name": self.contestant.name,
            "ours": self.contestant.ours,
            "binding": self.contestant.binding,
            "required_ratio": self.contestant.required_ratio,
            "note": self.contestant.note,
            "status": self.status,
            "reason": self.reason,
            "setting": dict(self.setting),
            "objective": _finite(self.objective),
            "certificate": _finite(self.certificate),
            "extra_mib": None if self.extra_mib is None else round(self.extra_mib, 2),
            **self.times,
        }


def run_size(case: Case, size: Size, repeats: int, source: str, say: Say) -> dict[str, Any]:
    """Measure every contestant of ``case`` at ``size``; return the JSON object of that size.

    The status of a contestant is ``ok``, ``missed`` (its best answer does not reach the target),
    ``failed`` (it raised) or ``skipped`` (it is not installed).
    """
    say(f"{case.name} · {size.label}")
    data = case.make_data(**size.parameters)
    entries = [_prepare(case, contestant, data) for contestant in case.contestants]
    others = load.Others()
    time_them = _time_commands if case.whole_command else _time
    time_them(case, entries, data, repeats)
    busy = others.measure()
    if not case.whole_command:
        for entry in _runnable(entries):
            entry.extra_mib = memory.measure(case, size, entry.contestant, entry.setting, source)
    _judge(case, entries)
    for entry in entries:
        say(f"    {_line(entry)}")
    if busy is not None and busy > load.BUSY:
        say(f"    disturbed: others used {busy:.0%} of the processors while timing")
    return {
        "label": size.label,
        "elements": size.elements,
        "required": size.required,
        "required_ratio": size.required_ratio,
        "others_busy": busy,
        "contestants": [entry.to_json() for entry in entries],
    }


def _runnable(entries: list[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.status in ("ok", "missed")]


def _prepare(case: Case, contestant: Contestant, data: Any) -> Entry:
    """Find the loosest setting that reaches the certificate; these fits are also the warm-up."""
    entry = Entry(contestant, contestant.settings[-1])
    if reason := contestant.missing():
        entry.status, entry.reason = "skipped", reason
        return entry
    if case.whole_command:
        return entry
    for setting in contestant.settings:
        entry.setting = setting
        try:
            # An error of a peer is a result to report, whatever its type.
            fitted, entry.reason = timing.quietly(partial(contestant.fit, data, **setting))
            _evaluate(case, entry, data, fitted)
        except Exception as error:
            entry.status, entry.reason = "failed", _one_line(error)
            return entry
        if case.target.certified(entry.certificate):
            return entry
    return entry


def _evaluate(case: Case, entry: Entry, data: Any, fitted: Any) -> None:
    target = case.target
    entry.objective = float(target.objective(data, fitted))
    if target.certificate is not None:
        entry.certificate = float(target.certificate(data, fitted))


def _time(case: Case, entries: list[Entry], data: Any, repeats: int) -> None:
    running = _runnable(entries)
    fits = {e.contestant.name: partial(e.contestant.fit, data, **e.setting) for e in running}
    seconds = timing.interleave(fits, repeats, max_rounds=case.max_rounds)
    for entry in running:
        entry.times = timing.summary(seconds[entry.contestant.name])


def _time_commands(case: Case, entries: list[Entry], data: Any, repeats: int) -> None:
    """Time whole commands, whose answer is read from a timed run: a run is too long to spare."""
    fitted: dict[str, Any] = {}

    def fit_of(entry: Entry) -> Callable[[], None]:
        def fit() -> None:
            if entry.status == "ok":
                try:
                    fitted[entry.contestant.name] = entry.contestant.fit(data, **entry.setting)
                except Exception as error:
                    entry.status, entry.reason = "failed", _one_line(error)

        return fit

    running = _runnable(entries)
    rounds = min(repeats, case.max_rounds)
    fits = {entry.contestant.name: fit_of(entry) for entry in running}
    seconds = timing.interleave(fits, rounds, max_rounds=rounds, patience=math.inf)
    for entry in _runnable(running):
        entry.times = timing.summary(seconds[entry.contestant.name])
        _evaluate(case, entry, data, fitted[entry.contestant.name])


def _judge(case: Case, entries: list[Entry]) -> None:
    """Mark as missed every answer that does not reach the target."""
    running = _runnable(entries)
    objectives = [entry.objective for entry in running if entry.objective is not None]
    best = min((value for value in objectives if math.isfinite(value)), default=math.nan)
    for entry in running:
        if not case.target.certified(entry.certificate):
            entry.status = "missed"
            entry.reason = f"{case.target.certificate_name} {entry.certificate:.1e}"
        elif entry.objective is None or not entry.objective - best <= case.target.tolerance:
            entry.status = "missed"
            entry.reason = f"objective {entry.objective} against {best}"


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:200]


def _line(entry: Entry) -> str:
    if not entry.times:
        return f"{entry.contestant.name}: {entry.status}, {entry.reason}"
    extra = "" if entry.extra_mib is None else f", {entry.extra_mib:.1f} MiB"
    certificate = "" if entry.certificate is None else f", certificate {entry.certificate:.1e}"
    missed = "" if entry.status == "ok" else f", {entry.status}"
    return (
        f"{entry.contestant.name}: {entry.times['best']:.4f} s"
        f" (median {entry.times['median']:.4f}){extra}{certificate}{missed}"
    )
