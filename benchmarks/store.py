"""``results.json``: every raw number, one object per case and size, and the runs they came from.

::

    {"schema": 1,
     "runs": {"<date>": {machine, versions, threads, repeats}},
     "cases": {"<name>": {description, target, requirements, "sizes": [{label, run, contestants}]}}}
"""

import json
import os
from collections.abc import Iterable
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


def forget_unknown(results: Results, names: Iterable[str]) -> None:
    """Drop the cases that no longer exist, and put the others in the order of ``names``."""
    results["cases"] = {name: results["cases"][name] for name in names if name in results["cases"]}
    _forget_unused_runs(results)


def _forget_unused_runs(results: Results) -> None:
    used = {size["run"] for case in results["cases"].values() for size in case["sizes"]}
    results["runs"] = {date: run for date, run in sorted(results["runs"].items()) if date in used}


def _description(case: Case) -> dict[str, Any]:
    return {
        "description": case.description,
        "objective": case.target.objective_name,
        "tolerance": case.target.tolerance,
        "certificate": case.target.certificate_name,
        "limit": case.target.limit,
        "required_ratio": case.required_ratio,
        "required_memory": case.required_memory,
        "required_seconds": case.required_seconds,
    }
