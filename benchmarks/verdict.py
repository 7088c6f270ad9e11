"""Ours against the best peer at one size, read from the JSON objects of :mod:`benchmarks.store`."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

MEMORY_SLACK = 1.0
"""MiB: two peaks closer than this are the same peak (pages, thread stacks)."""


@dataclass(frozen=True)
class Verdict:
    """Ours and the fastest peer that reaches the target.

    ``speed`` is how many times as fast as that peer we are, ``memory`` the ratio of our extra
    memory to its, ``difference`` our objective minus its; ``None`` where it cannot be said.
    """

    ours: dict[str, Any] | None
    peer: dict[str, Any] | None
    speed: float | None
    memory: float | None
    difference: float | None


@dataclass(frozen=True)
class Requirement:
    """What was asked at a size, what was attained, and whether it is enough."""

    asked: str
    attained: str
    met: bool


def compare(size: dict[str, Any], *, binding: bool = False) -> Verdict:
    """The verdict at one size, over all peers or only over those that the requirement names."""
    peers = [c for c in size["contestants"] if not c["ours"] and (c["binding"] or not binding)]
    return _against(size, [peer for peer in peers if peer["status"] == "ok"])


def _against(size: dict[str, Any], peers: list[dict[str, Any]]) -> Verdict:
    ours = next((c for c in size["contestants"] if c["ours"] and "best" in c), None)
    peer = min((c for c in peers if "best" in c), key=lambda c: c["best"], default=None)
    if ours is None or peer is None:
        return Verdict(ours, peer, None, None, None)
    return Verdict(
        ours,
        peer,
        speed=peer["best"] / ours["best"],
        memory=_memory_ratio(ours["extra_mib"], peer["extra_mib"]),
        difference=_apply(float.__sub__, ours["objective"], peer["objective"]),
    )


def requirements(case: dict[str, Any], size: dict[str, Any]) -> list[Requirement]:
    """Everything asked of ``case`` at ``size``, judged."""
    if not size["required"]:
        return []
    found = compare(size, binding=True)
    ours = found.ours
    reached = ours is not None and ours["status"] == "ok"
    judged = list(_speeds(case, size))
    if (ratio := case["required_memory"]) is not None:
        attained = f"{found.memory:.2f} ×" if found.memory is not None else "not measured"
        met = reached and found.memory is not None and found.memory <= ratio
        judged.append(Requirement(f"memory at most {ratio:g} × {_named(found)}", attained, met))
    if (limit := case["required_seconds"]) is not None:
        attained = f"{ours['best']:.1f} s" if ours is not None else "not measured"
        met = ours is not None and reached and ours["best"] < limit
        judged.append(Requirement(f"under {limit:g} s", attained, met))
    return judged


def _speeds(case: dict[str, Any], size: dict[str, Any]) -> Iterator[Requirement]:
    """The peers that carry a ratio of their own each by itself, the best of the others together.

    A peer of its own that misses the target is held against its time all the same, and this said.
    """
    peers = [c for c in size["contestants"] if not c["ours"] and c["binding"]]
    apart = [c for c in peers if c.get("required_ratio") is not None]
    together = [c for c in peers if c.get("required_ratio") is None]
    ratio = size.get("required_ratio")
    if (ratio := case["required_ratio"] if ratio is None else ratio) is not None:
        found = _against(size, [c for c in together if c["status"] == "ok"])
        yield _speed(ratio, found, _named(found))
    for peer in apart:
        yield _speed(peer["required_ratio"], _against(size, [peer]), peer["name"])


def _speed(ratio: float, found: Verdict, name: str) -> Requirement:
    attained = "not measured"
    met = False
    if found.ours is not None and found.peer is not None and found.speed is not None:
        missed = "" if found.peer["status"] == "ok" else " (it misses the target)"
        attained = f"{found.speed:.2f} ×{missed}"
        met = found.ours["status"] == "ok" and found.speed >= ratio
    return Requirement(f"at least {ratio:.3g} × as fast as {name}", attained, met)


def growth(smaller: dict[str, Any], larger: dict[str, Any]) -> dict[str, float]:
    """Exponent b of time ∝ elements^b between two sizes, for every contestant timed at both."""
    before = {c["name"]: c["best"] for c in smaller["contestants"] if "best" in c}
    after = {c["name"]: c["best"] for c in larger["contestants"] if "best" in c}
    if smaller["elements"] == larger["elements"]:
        return {}
    scale = math.log(larger["elements"] / smaller["elements"])
    return {name: math.log(after[name] / before[name]) / scale for name in after if name in before}


def _memory_ratio(ours: float | None, peer: float | None) -> float | None:
    if ours is None or peer is None:
        return None
    if abs(ours - peer) <= MEMORY_SLACK:
        return 1.0
    return max(ours, MEMORY_SLACK) / max(peer, MEMORY_SLACK)


def _apply(
    operation: Callable[[float, float], float], left: float | None, right: float | None
) -> float | None:
    return None if left is None or right is None else operation(float(left), float(right))


def _named(found: Verdict) -> str:
    return found.peer["name"] if found.peer is not None else "the best peer"
