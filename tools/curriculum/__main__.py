"""Command line of the curriculum index."""

import argparse
import sys
from pathlib import Path

from tools.curriculum import page
from tools.curriculum.index import Index, build

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str] | None = None) -> int:
    """Write the page, or check it; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.curriculum", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail on any problem")
    parser.add_argument("--missing", metavar="PACKAGE", help="list the open ids of one package")
    parser.add_argument("--root", type=Path, default=ROOT, help="repository to scan")
    options = parser.parse_args(arguments)

    index = build(options.root)
    target = options.root / "docs" / "curriculum.md"
    text = page.render(index)
    if options.missing:
        return _list_open(index, options.missing)
    if not options.check:
        target.write_text(text, encoding="utf-8")
        print(f"wrote {target.relative_to(options.root)}")
        return 0

    problems = list(index.problems)
    if not target.is_file() or target.read_text(encoding="utf-8") != text:
        problems.append("docs/curriculum.md is out of date: run python -m tools.curriculum")
    _print_progress(index)
    for problem in problems:
        print(problem)
    return int(bool(problems))


def _list_open(index: Index, package: str) -> int:
    groups = index.packages()
    if package not in groups:
        print(f"no package {package!r}; known: {', '.join(groups)}")
        return 1
    for entry in groups[package]:
        if entry.status == "open":
            print(entry.capability.id, entry.capability.title)
    return 0


def _print_progress(index: Index) -> None:
    rows = [*index.packages().items(), ("total", index.entries)]
    for name, entries in rows:
        n = page.counts(entries)
        done = n["margin"] + n["elsewhere"]
        missing = len(entries) - done
        print(f"{name:14} {page.text_bar(entries)} {done:3} done {missing:3} missing")


if __name__ == "__main__":
    sys.exit(main())
