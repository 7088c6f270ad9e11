"""How busy others kept our processors while we were timing: a figure taken beside them is marked.

Threaded linear algebra waits by spinning, and a core taken away by somebody else costs it far more
than its share. The best of several rounds does not cure that, so the page says when it happened.
"""

import os
import time
from pathlib import Path

BUSY = 0.10
"""Share of the processors used by others above which a size is marked as disturbed."""


STAT = Path("/proc/stat")


class Others:
    """Share of the processors we may run on used by other processes since this object was made.

    >>> Others.share(total=3.0, own=1.0, wall=2.0, processors=2)
    0.5
    """

    def __init__(self) -> None:
        self._wall = time.perf_counter()
        self._own = _own_seconds()
        self._ours = _processors()
        self._total = _busy_seconds(self._ours)

    def measure(self) -> float | None:
        """The share so far, or ``None`` where the system does not tell."""
        total = _busy_seconds(self._ours)
        if self._total is None or total is None:
            return None
        wall = time.perf_counter() - self._wall
        own = _own_seconds() - self._own
        return round(self.share(total - self._total, own, wall, len(self._ours)), 3)

    @staticmethod
    def share(total: float, own: float, wall: float, processors: int) -> float:
        """(busy seconds of everybody − our own) / (seconds gone by × processors), at least 0."""
        return max(total - own, 0.0) / (max(wall, 1e-9) * processors)


def _own_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _processors() -> set[int]:
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


def _busy_seconds(processors: set[int]) -> float | None:
    """Seconds that everybody used of some processors since the machine started, without waiting."""
    try:
        lines = [line.split() for line in STAT.read_text().splitlines()]
        ours = [line[1:9] for line in lines if line[0] in {f"cpu{n}" for n in processors}]
    except (OSError, IndexError):
        return None
    if len(ours) < len(processors):
        return None
    ticks = 0
    for fields in ours:
        user, nice, system, _idle, _waiting, *interrupts = map(int, fields)
        ticks += user + nice + system + sum(interrupts)
    return ticks / os.sysconf("SC_CLK_TCK")
