"""Time margin and its peers in one run, at equal answers."""

import argparse
import sys
from collections.abc import Callable, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from benchmarks import threads
from benchmarks.case import Case

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results.json"
PAGE = ROOT / "docs" / "benchmarks.md"
SOURCE = "benchmarks.cases"
EVERYWHERE = "no-slower-anywhere"

Everywhere = Callable[[Callable[[str], None]], dict[str, Any]]
"""Measures the table of all estimators, told where to say how it goes."""


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--only", metavar="PATTERN", action="append", help="cases whose name matches, e.g. 'ridge*'"
    )
    parser.add_argument(
        "--sizes", choices=("all", "small"), default="all", help="small: the smallest of each case"
    )
    parser.add_argument("--repeats", type=int, default=7, help="rounds per size (default: 7)")
    parser.add_argument(
        "--threads", type=int, default=threads.COUNT, help=f"default: {threads.COUNT}"
    )
    parser.add_argument(
        "--page", action="store_true", help="write the page of what was measured before, and stop"
    )
    parser.add_argument("--list", action="store_true", help="name the cases and stop")
    options = parser.parse_args(arguments)
    for name in ("repeats", "threads"):
        if (value := getattr(options, name)) < 1:
            parser.error(f"--{name} must be at least 1, got {value}")
    return options


def select(cases: Sequence[Case], patterns: Sequence[str] | None) -> list[Case]:
    """The cases whose name matches one of the shell patterns; all of them without patterns."""
    return [case for case in cases if matches(case.name, patterns)]


def matches(name: str, patterns: Sequence[str] | None) -> bool:
    """Whether a name matches one of the shell patterns; every name does without patterns."""
    return not patterns or any(fnmatch(name, pattern) for pattern in patterns)


def run(
    cases: Sequence[Case],
    options: argparse.Namespace,
    source: str = SOURCE,
    results_path: Path = RESULTS,
    page_path: Path = PAGE,
    everywhere: Everywhere | None = None,
) -> int:
    """Run the selected cases, writing the file and the page after each; return the exit status.

    ``everywhere`` measures the table of all estimators, where that is wanted beside the cases.
    """
    from benchmarks import machine, page, runner, store

    chosen = select(cases, options.only)
    if not matches(EVERYWHERE, options.only):
        everywhere = None
    if not chosen and everywhere is None:
        print(f"no case matches {' '.join(options.only)}", file=sys.stderr)
        return 2
    results = store.load(results_path)

    def write() -> None:
        store.follow(results, cases)
        store.save(results, results_path)
        page_path.write_text(page.render(results), encoding="utf-8")

    if options.page:
        write()
        return 0
    description = machine.describe(options.threads, options.repeats)
    for case in chosen:
        sizes = case.sizes[:1] if options.sizes == "small" else case.sizes
        measured = [runner.run_size(case, size, options.repeats, source, print) for size in sizes]
        store.update(results, case, description, measured)
        write()
    if everywhere is not None:
        print(EVERYWHERE)
        store.update_everywhere(results, description, everywhere(print))
        write()
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point."""
    options = parse(arguments)
    threads.limit(options.threads)
    from benchmarks.cases import CASES
    from benchmarks.everywhere import cells

    if options.list:
        for case in CASES:
            print(f"{case.name}: {', '.join(size.label for size in case.sizes)}")
        print(f"{EVERYWHERE}: {', '.join(map(str, cells.SIZES))}")
        return 0
    return run(CASES, options, everywhere=cells.measure)


if __name__ == "__main__":
    sys.exit(main())
