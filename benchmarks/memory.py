"""Peak memory of one fit, measured in a fresh process of its own.

Run as ``python -m benchmarks.memory REQUEST`` by :func:`measure`: the child builds the data, marks
its resident memory, fits, and prints by how many MiB the high-water mark rose above that. The
child inherits the limit on threads.
"""

import contextlib
import ctypes
import gc
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.case import Case, Contestant, Setting, Size

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT = 600.0


def measure(
    case: Case, size: Size, contestant: Contestant, setting: Setting, source: str
) -> float | None:
    """Extra MiB of one fit above the data, or ``None`` where the child did not come back.

    ``source`` is the module whose ``CASES`` hold the case: code does not travel, names do.
    """
    request = {
        "source": source,
        "case": case.name,
        "size": size.label,
        "contestant": contestant.name,
        "setting": dict(setting),
    }
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.memory", json.dumps(request)]
    try:
        child = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT, check=True
        )
        return float(child.stdout.splitlines()[-1])
    except (subprocess.SubprocessError, IndexError, ValueError):
        return None


def extra_mib(case: Case, size: Size, contestant: Contestant, setting: Setting) -> float:
    """MiB by which a fit raises this process's high-water mark above data and libraries."""
    if case.warm_up:
        contestant.fit(case.make_data(**case.warm_up), **setting)
    data = case.make_data(**size.parameters)
    gc.collect()
    _return_free_memory()
    before = _start_mark()
    fitted = contestant.fit(data, **setting)
    extra = _high_water() - before
    del fitted, data
    return max(extra, 0.0)


def _return_free_memory() -> None:
    """Give freed heap back: memory left over from making the data would hide the fit's."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def _start_mark() -> float:
    """Lower the high-water mark to what is in use now, where the system can, and return it."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return _high_water()


def _high_water() -> float:
    """Largest resident memory so far, in MiB."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    except OSError:
        found = None
    if found:
        return int(found[1]) / 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def answer(request: dict[str, Any]) -> float:
    """Carry out one request of :func:`measure`."""
    cases: tuple[Case, ...] = import_module(request["source"]).CASES
    case = next(case for case in cases if case.name == request["case"])
    contestant = case.contestant(request["contestant"])
    if reason := contestant.missing():
        raise ImportError(reason)
    return extra_mib(case, case.size(request["size"]), contestant, request["setting"])


if __name__ == "__main__":
    print(answer(json.loads(sys.argv[1])))
