"""How much memory a process may use: that of the machine, or what its control groups allow."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

if sys.platform != "win32":
    import resource

ROOT = Path("/")
_PAGES = {"MemTotal": "SC_PHYS_PAGES", "MemAvailable": "SC_AVPHYS_PAGES"}
# Per kind of control group: where it is mounted, limit, use, and the part of the use that is file
# cache, which the kernel gives back before it refuses memory.
_UNIFIED = ("sys/fs/cgroup", "memory.max", "memory.current", "inactive_file")
_LEGACY = (
    "sys/fs/cgroup/memory",
    "memory.limit_in_bytes",
    "memory.usage_in_bytes",
    "total_inactive_file",
)


def total(root: Path = ROOT) -> int | None:
    """Bytes that the process may use at most, None where the system does not say.

    The least of the memory of the machine, the limits of the control groups of the process
    (versions 1 and 2, as set by containers and batch systems), and its own limit on addresses.

    Examples
    --------
    >>> from margin.core import memory
    >>> size = memory.total()
    >>> size is None or size > 2**20
    True
    """
    limits = [limit for limit, _ in _groups(root)]
    return min([*_machine(root, "MemTotal"), *limits, *_own_limit(root)], default=None)


def available(root: Path = ROOT) -> int | None:
    """Bytes that the process may still take, None where the system does not say.

    Examples
    --------
    >>> from margin.core import memory
    >>> size = memory.available()
    >>> size is None or size > 0
    True
    """
    rooms = [max(0, limit - used) for limit, used in _groups(root)]
    taken = _taken(root)
    own = [max(0, limit - taken) for limit in _own_limit(root)]
    return min([*_machine(root, "MemAvailable"), *rooms, *own], default=None)


def _machine(root: Path, name: str) -> list[int]:
    """An entry of the list that Linux keeps, in bytes; elsewhere what POSIX knows."""
    for line in _lines(root / "proc/meminfo"):
        key, _, value = line.partition(":")
        if key == name:
            return [1024 * int(value.split()[0])]
    if root != ROOT:
        return []
    try:
        return [os.sysconf("SC_PAGE_SIZE") * os.sysconf(_PAGES[name])]
    except (AttributeError, ValueError, OSError):
        return []


def _groups(root: Path) -> Iterator[tuple[int, int]]:
    """Limit and use of every control group of the process that has a limit of memory."""
    for line in _lines(root / "proc/self/cgroup"):
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0" and not controllers:
            kind = _UNIFIED
        elif "memory" in controllers.split(","):
            kind = _LEGACY
        else:
            continue
        mount, limit_name, used_name, cache_name = kind
        for folder in _ancestry(root / mount, path):
            limit = _number(folder / limit_name)
            if limit is None:
                continue
            used = _number(folder / used_name) or 0
            yield limit, max(0, used - _statistic(folder / "memory.stat", cache_name))


def _ancestry(mount: Path, path: str) -> Iterator[Path]:
    """The folder of a group and those above it: each may set a limit.

    Inside a container the path may be that of the host, and only the mount itself is there.
    """
    inside = PurePosixPath(path.lstrip("/"))
    if ".." not in inside.parts:
        for part in (inside, *inside.parents):
            if part != PurePosixPath("."):
                yield mount / part
    yield mount


def _own_limit(root: Path) -> list[int]:
    """The limit of the process on its addresses, if it has one."""
    if sys.platform == "win32" or root != ROOT:
        return []
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return [] if soft == resource.RLIM_INFINITY else [soft]


def _taken(root: Path) -> int:
    for line in _lines(root / "proc/self/status"):
        if line.startswith("VmSize:"):
            return 1024 * int(line.split()[1])
    return 0


def _statistic(file: Path, name: str) -> int:
    for line in _lines(file):
        key, _, value = line.partition(" ")
        if key == name:
            return int(value)
    return 0


def _number(file: Path) -> int | None:
    """The number that a file holds; None if there is no file, or the word ``max``."""
    lines = _lines(file)
    return int(lines[0]) if lines and lines[0].isdecimal() else None


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text().split("\n")
    except OSError:
        return []
