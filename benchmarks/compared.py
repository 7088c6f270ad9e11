"""``margin compare`` on kinds of tables, one line each.

``python -m benchmarks.compared [TABLE …] [--budget 60]`` prints the winner, the scores of margin
and of two peers on the same held-out rows, the standard error, the seconds of the whole command,
those that the comparison itself counted, and the folds of the best three models.
"""

import argparse
import subprocess
import sys
import time

from benchmarks.cases.compare import FOREST, HGB, SECONDS, compare_table, fit_peer, table
from benchmarks.tables import KINDS


def line(name: str, budget: float) -> str:
    """One table, measured and said on one line."""
    data = table(name)
    started = time.perf_counter()
    try:
        board = compare_table(data, budget)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return f"{name:14s} none: {' '.join(str(error).split())}"
    seconds = time.perf_counter() - started
    scores = [board["test_score"], *(fit_peer(data, peer)["test_score"] for peer in (HGB, FOREST))]
    folds = [str(r["folds"]) for r in board["results"] if not r["is_baseline"]][:3]
    low, high = board["test_interval"]
    return (
        f"{name:14s} {board['winner']:30s} {board['metric']:18s} "
        + " ".join(f"{score:7.3f}" for score in scores)
        + f"  se {(high - low) / 3.92:.3f}  {seconds:5.1f} s ({board['seconds']:.1f})"
        + f"  folds {'/'.join(folds)}"
    )


def main() -> None:
    """Print the line of every table that was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compared")
    parser.add_argument("tables", nargs="*", default=list(KINDS), metavar="TABLE")
    parser.add_argument("--budget", type=float, default=SECONDS)
    options = parser.parse_args()
    say = sys.stdout.write
    say(f"{'table':14s} {'winner':30s} {'metric':18s}  margin     HGB  forest\n")
    for name in options.tables:
        say(line(name, options.budget) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
