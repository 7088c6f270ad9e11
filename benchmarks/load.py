"""How busy others kept the machine while we were timing: a figure taken beside them is marked.

Threaded linear algebra waits by spinning, and a core taken away by somebody else costs it far more
than its share. The best of several rounds does not cure that, so the page says when it happened.
"""

import os
import time
from pathlib import Path

BUSY = 0.10
"""Share of the processors used by others above which a size is marked as disturbed."""


class Others:
    """Share of all processors used by other processes since this object was made.

    >>> Others.share(total=3.0, own=1.0, wall=2.0, processors=2)
    0.5
    """

    def __init__(self) -> None:
        self._wall = time.perf_counter()
        self._own = _own_seconds()
        self._total = _busy_seconds()

    def measure(self) -> float | None:
        """The share so far, or ``None`` where the system does not tell."""
        total = _busy_seconds()
        if self._total is None or total is None:
            return None
        wall = time.perf_counter() - self._wall
        own = _own_seconds() - self._own
        return round(self.share(total - self._total, own, wall, os.cpu_count() or 1), 3)

    @staticmethod
    def share(total: float, own: float, wall: float, processors: int) -> float:
        """(busy seconds of everybody − our own) / (seconds gone by × processors), at least 0."""
        return max(total - own, 0.0) / (max(wall, 1e-9) * processors)


def _own_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _busy_seconds() -> float | None:
    """Processor seconds used by everybody since the machine started; idle and waiting left out."""
    try:
        fields = Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    except (OSError, IndexError):
        return None
    user, nice, system, _idle, _waiting, *interrupts = (int(field) for field in fields[:8])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")
