"""Write the index as a Markdown page."""

from collections import Counter
from pathlib import Path

from tools.curriculum.catalogue import SUBJECTS
from tools.curriculum.index import Entry, Index

STATUSES = ("margin", "elsewhere", "unproved", "open")
SYMBOLS = {"margin": "●", "elsewhere": "◐", "unproved": "◌", "open": "○"}
SHOWN = 3  # names, tests and examples listed per cell before the rest is only counted

INTRODUCTION = """\
# Curriculum

Every capability of the curriculum has an id. For each of them this page says where margin serves
it, which test proves it and which example shows it. `make curriculum` writes it from the ids found
in the sources and the tests: nothing on it is kept by hand.

● in margin, with a test that proves it · ◐ one call of NumPy, SciPy or scikit-learn does the job,
shown by an example that runs in our tests · ◌ written, no test yet · ○ open
"""


def render(index: Index) -> str:
    """Return the whole page."""
    groups = index.packages()
    parts = [INTRODUCTION, _summary(index.entries, groups)]
    parts += [_section(package, entries) for package, entries in groups.items()]
    return "\n".join(parts)


def counts(entries: list[Entry]) -> dict[str, int]:
    """Return the number of entries per status."""
    tally = Counter(e.status for e in entries)
    return {status: tally[status] for status in STATUSES}


def text_bar(entries: list[Entry], width: int = 20) -> str:
    """Return a bar for the terminal: full blocks for margin, half-tone for pointers elsewhere.

    Examples
    --------
    >>> from tools.curriculum.catalogue import Capability
    >>> rows = [Entry(Capability("a.01", "A"), ["margin.a"], ["t"]), Entry(Capability("a.02", "B"))]
    >>> text_bar(rows, width=4)
    '██░░'
    """
    n, total = counts(entries), len(entries)
    full = width * n["margin"] // total
    half = width * (n["margin"] + n["elsewhere"]) // total - full
    return "█" * full + "▒" * half + "░" * (width - full - half)


def _bar(entries: list[Entry]) -> str:
    n, total = counts(entries), len(entries)
    spans = "".join(
        f'<span class="{status}" style="width:{100 * n[status] / total:.1f}%"></span>'
        for status in ("margin", "elsewhere")
        if n[status]
    )
    percent = 100 * (n["margin"] + n["elsewhere"]) / total
    return f'<span class="bar">{spans}</span>\u00a0{percent:.0f}\u00a0%'


def _summary(entries: list[Entry], groups: dict[str, list[Entry]]) -> str:
    n = counts(entries)
    lines = [
        f"**{n['margin'] + n['elsewhere']} of {len(entries)}** capabilities are served: "
        f"{n['margin']} in margin, {n['elsewhere']} by one call elsewhere.",
        "",
        _bar(entries),
        "",
        "| package | about | ● | ◐ | ○ | progress |",
        "| --- | --- | --: | --: | --: | --- |",
    ]
    for package, rows in groups.items():
        k = counts(rows)
        lines.append(
            f"| [{package}](#curriculum-{package}) | {SUBJECTS.get(package, '')} | {k['margin']} "
            f"| {k['elsewhere']} | {k['open'] + k['unproved']} | {_bar(rows)} |"
        )
    return "\n".join([*lines, ""])


def _section(package: str, entries: list[Entry]) -> str:
    lines = [
        f"(curriculum-{package})=",
        f"## {package}",
        "",
        f"{SUBJECTS.get(package, '').capitalize()}. {_bar(entries)}",
        "",
        "| id | what | where | test | example |",
        "| --- | --- | --- | --- | --- |",
        *(_row(entry) for entry in entries),
    ]
    return "\n".join([*lines, ""])


def _row(entry: Entry) -> str:
    cells = [
        f"{SYMBOLS[entry.status]} {entry.capability.id}",
        entry.capability.title.replace("|", "\\|"),
        _cell([_name(name) for name in entry.where] + _elsewhere(entry)),
        _cell([_test(node) for node in entry.tests]) if entry.where else "",
        _cell([_example(path) for path in entry.examples]),
    ]
    return "| " + " | ".join(cells) + " |"


def _name(public: str) -> str:
    return f"{{py:obj}}`{public.removeprefix('margin.')} <{public}>`"


def _elsewhere(entry: Entry) -> list[str]:
    row = entry.capability
    target = f"served_elsewhere/{row.package}.md#{row.id.replace('.', '-')}"
    return [f"[`{call}`]({target})" for call in row.calls]


def _test(node: str) -> str:
    path, _, name = node.partition("::")
    words = name.rpartition("::")[2].removeprefix("test_").removeprefix("Test")
    return f"[{words.replace('_', ' ')}](../tests/{path})"


def _example(path: str) -> str:
    stem = Path(path).with_suffix("")
    title = stem.name.removeprefix("plot_").replace("_", " ")
    return f"{{doc}}`{title} <auto_examples/{stem.as_posix()}>`"


def _cell(items: list[str]) -> str:
    rest = len(items) - SHOWN
    return ", ".join(items[:SHOWN]) + (f" and {rest} more" if rest > 0 else "")
