"""``results.json``: every raw number, one object per case and size, and the runs they came from.

::

    {"schema": 1,
     "runs": {"<date>": {machine, versions, threads, repeats}},
     "cases": {"<name>": {description, target, requirements, "sizes": [{label, run, contestants}]}},
     "everywhere": {run, others_busy, "cells": [{model, work, rows, ours, theirs}]}}
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.case import Case

SCHEMA = 1
Results = dict[str, Any]


def load(path: Path) -> Results:
    """What is in the file; nothing if there is none or it is of another schema."""
    if path.is_file():
        results: Results = json.loads(path.read_text(encoding="utf-8"))
        if results.get("schema") == SCHEMA:
            return results
    return {"schema": SCHEMA, "runs": {}, "cases": {}}


def save(results: Results, path: Path) -> None:
    """Write the file in one step: an interrupted run leaves the old file or the new one."""
    half = path.with_suffix(".partial")
    text = json.dumps(results, indent=1, ensure_ascii=False, allow_nan=False)
    half.write_text(text + "\n", encoding="utf-8")
    os.replace(half, path)


def update(results: Results, case: Case, run: dict[str, Any], sizes: list[dict[str, Any]]) -> None:
    """Put freshly measured sizes of one case in place of the old ones; keep everything else."""
    known = results["cases"].get(case.name, {}).get("sizes", [])
    measured = {size["label"]: size for size in known}
    measured |= {size["label"]: {**size, "run": run["date"]} for size in sizes}
    results["cases"][case.name] = {
        **_description(case),
        "sizes": [measured[size.label] for size in case.sizes if size.label in measured],
    }
    results["runs"][run["date"]] = run
    _forget_unused_runs(results)


def update_everywhere(results: Results, run: dict[str, Any], measured: dict[str, Any]) -> None:
    """Put a freshly measured table of all estimators in the place of the old one."""
    results["everywhere"] = {"run": run["date"], **measured}
    results["runs"][run["date"]] = run
    _forget_unused_runs(results)


def follow(results: Results, cases: Sequence[Case]) -> None:
    """Order the results as ``cases``, drop what is no case any more, and ask what is asked today.

    What was measured stays; what it is held against is the registry's.
    """
    known = results["cases"]
    results["cases"] = {case.name: known[case.name] for case in cases if case.name in known}
    for case in cases:
        if case.name in results["cases"]:
            _ask(results["cases"][case.name], case)
    _forget_unused_runs(results)


def _ask(stored: dict[str, Any], case: Case) -> None:
    stored |= _asked(case)
    sizes = {size.label: size for size in case.sizes}
    peers = {contestant.name: contestant for contestant in case.contestants}
    for size in stored["sizes"]:
        if (now := sizes.get(size["label"])) is not None:
            size |= {"required": now.required, "required_ratio": now.required_ratio}
        for entry in size["contestants"]:
            if (peer := peers.get(entry["name"])) is not None:
                entry |= {"binding": peer.binding, "required_ratio": peer.required_ratio}


def _forget_unused_runs(results: Results) -> None:
    used = {size["run"] for case in results["cases"].values() for size in case["sizes"]}
    if "everywhere" in results:
        used.add(results["everywhere"]["run"])
    results["runs"] = {date: run for date, run in sorted(results["runs"].items()) if date in used}


def _description(case: Case) -> dict[str, Any]:
    return {
        "description": case.description,
        "objective": case.target.objective_name,
        "tolerance": case.target.tolerance,
        "certificate": case.target.certificate_name,
        "limit": case.target.limit,
        **_asked(case),
    }


def _asked(case: Case) -> dict[str, Any]:
    return {
        "required_ratio": case.required_ratio,
        "required_memory": case.required_memory,
        "required_seconds": case.required_seconds,
    }
