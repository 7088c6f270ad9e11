"""Run scikit-learn's tests on margin and compare with the chosen differences."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import sklearn

from tools.dropin.differences import Outcome, judge, page, read
from tools.dropin.namesakes import homes, namesakes
from tools.dropin.rewrite import concerned, rewritten

ROOT = Path(__file__).resolve().parents[2]
THEIRS = Path(sklearn.__file__).resolve().parent
PAGE = ROOT / "docs" / "coming_from_sklearn.md"
OUTCOMES, LIMIT = "MARGIN_DROPIN_OUTCOMES", "MARGIN_DROPIN_LIMIT"  # read by the plugin
SETTINGS = "[pytest]\naddopts = -p no:cacheprovider --import-mode=importlib\n"


def lay_out(folder: Path, only: list[str], own: bool = False) -> list[Path]:
    """Write the rewritten test files below ``folder``, in the places they have in scikit-learn.

    Those whose path contains one of the words, and with ``own`` those of the namesakes themselves.
    """
    names = namesakes()
    begins = tuple(homes()) if own else ""
    (folder / "pytest.ini").write_text(SETTINGS)
    laid = []
    for path in concerned(THEIRS, names):
        place = path.relative_to(THEIRS)
        if not place.as_posix().startswith(begins):
            continue
        if not only or any(word in place.as_posix() for word in only):
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            source = path.read_text(encoding="utf-8")
            (folder / place).write_text(rewritten(source, names), encoding="utf-8")
            laid.append(place)
    return laid


def run(folder: Path, files: list[Path], jobs: int, limit: float = 0.0) -> list[Outcome]:
    """Run the files; the outcome of every test that touches margin.

    A test that works for longer than ``limit`` seconds, where there is one, does not count.
    """
    outcomes = folder / "outcomes.jsonl"
    outcomes.write_text("")
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, OUTCOMES: str(outcomes), LIMIT: str(limit)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tools.dropin.plugin", "--tb=no"]
    command += ["--continue-on-collection-errors"]
    ended = subprocess.run(
        [*command, *(["-n", str(jobs)] if jobs > 1 else []), *map(str, files)],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    lines = outcomes.read_text(encoding="utf-8").splitlines()
    if ended.returncode not in (0, 1, 5):  # all pass, some fail, or there are none
        error = f"the run broke off with status {ended.returncode}"
        lines.append(json.dumps({"test": "pytest", "outcome": "failed", "error": error}))
    return [json.loads(line) for line in lines]


def documented(check: bool) -> int:
    """Write the page of the differences, or compare it; return the exit status."""
    text = page(read())
    if not check:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != text:
        print(f"{PAGE.relative_to(ROOT).as_posix()} is out of date: make differences")
        return 1
    return 0


def main() -> int:
    """Print what fails without a reason, and the counts; 1 where the goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m tools.dropin", description=__doc__)
    parser.add_argument("only", nargs="*", help="parts of the paths of test files")
    parser.add_argument("--own", action="store_true", help="only the tests of namesakes themselves")
    parser.add_argument("--limit", type=float, default=0.0, help="seconds of work per test")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--page", action="store_true", help="rewrite the page of the differences")
    parser.add_argument("--check", action="store_true", help="only compare the page")
    parser.add_argument("--table", action="store_true", help="print the counts of every file")
    parser.add_argument("--out", type=Path, help="a JSON file with the outcome of every test")
    options = parser.parse_args()
    if options.page or options.check:
        return documented(options.check)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = lay_out(folder, options.only, options.own)
        outcomes = run(folder, files, options.jobs, options.limit)
    if options.out:
        options.out.write_text(json.dumps(outcomes, indent=1))
    verdict = judge(outcomes, read())
    for outcome in verdict.unexplained:
        print(f"{outcome['test']}: {outcome.get('error', '')}")
    if not (options.only or options.own):
        for difference in verdict.idle:
            print(f"explains nothing: {difference.title}")
    if options.table:
        print(verdict.table())
    print(verdict)
    return int(not verdict.good)


if __name__ == "__main__":
    sys.exit(main())
