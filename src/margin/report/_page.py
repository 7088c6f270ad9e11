"""The whole page, and how it gets to disk."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from margin.core import versions as installed
from margin.evaluation import Comparison
from margin.report import _columns, _effects, _leaderboard, _sections, _words
from margin.report._markup import Markup, join, tag

NAVIGATION = {
    "models": "Models",
    "evidence": "Evidence",
    "effects": "Effects",
    "fit": "Fit",
    "data": "Data",
    "notes": "Notes",
    "repeat": "Repeat",
}


def write_html(
    comparison: Comparison,
    path: str | os.PathLike[str],
    *,
    command: str = "",
    versions: Mapping[str, str] | None = None,
) -> Path:
    """Write the report of a comparison as one HTML file that needs nothing else.

    The file appears complete or not at all.

    Parameters
    ----------
    comparison : Comparison
        What :func:`margin.evaluation.compare` returned.
    path : path
        Where to write.
    command : str
        Command line that repeats the run, shown at the end.
    versions : mapping of str to str, optional
        Installed versions, shown at the end; those of this installation by default.

    Returns
    -------
    Path
        The file written.
    """
    path = Path(path)
    page = render(comparison, command=command, versions=versions)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(page)
        os.chmod(draft, 0o644)
        os.replace(draft, path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    return path


def render(
    comparison: Comparison, *, command: str = "", versions: Mapping[str, str] | None = None
) -> str:
    """The report of a comparison as HTML text; parameters as in :func:`write_html`."""
    if versions is None:
        versions = {**installed.packages(), "python": installed.machine()["python"]}
    sections = [
        _leader(comparison),
        _sections.section("evidence", "The evidence", _sections.diagnostics(comparison)),
        _effects.depends(comparison),
        _sections.fits(comparison),
        _columns.data(comparison),
        _sections.notes(comparison),
        _sections.repeat(comparison, command, versions),
    ]
    title = f"{comparison.target}: {comparison.winner}"
    style = resources.files("margin.report").joinpath("report.css").read_text(encoding="utf-8")
    head = tag(
        "head",
        Markup('<meta charset="utf-8"/>'),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("style", Markup(style)),
    )
    body = tag("body", _header(comparison), tag("main", sections), _footer(comparison))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _header(comparison: Comparison) -> Markup:
    absent = set() if _sections.notes(comparison) else {"notes"}
    links = [
        tag("a", name, href=f"#{key}") for key, name in NAVIGATION.items() if key not in absent
    ]
    brand = tag("span", "margin", class_="brand")
    return tag(
        "header",
        tag("div", brand, tag("span", comparison.source), class_="source"),
        tag("nav", links),
        tag("h1", _words.headline(comparison)),
        _limits(comparison),
        tag("p", comparison.verdict, class_="verdict"),
        _against(comparison),
        _figures(comparison),
        _leaderboard.verdict_chart(comparison),
    )


def _limits(comparison: Comparison) -> Markup | None:
    """What limited the answer, before anything is claimed; nothing where nothing did."""
    sentences = [_words.sentence(words) for words in comparison.limits.text]
    if not sentences:
        return None
    return tag(
        "p", tag("strong", "What limited this answer. "), " ".join(sentences), class_="limits"
    )


def _against(comparison: Comparison) -> Markup | None:
    """Whether the new model should take the place of an earlier one, where one was named."""
    if comparison.against is None:
        return None
    return tag("p", _words.sentence(comparison.against.text), class_="against")


def _figures(comparison: Comparison) -> Markup:
    low, high = comparison.test_interval
    interval = f"{_words.percent(0.95)} interval {_words.score(low)} to {_words.score(high)}"
    rows = f"{_words.count(comparison.n_train)} to train, {_words.count(comparison.n_test)} to test"
    models = sum(not result.is_baseline for result in comparison.results)
    facts = [
        (f"test {comparison.metric}", _words.score(comparison.test_score), interval),
        ("baseline", _words.score(comparison.baseline.score), comparison.baseline.model),
        ("rows", _words.count(comparison.n_rows), rows),
        ("models", str(models), f"compared in {_words.duration(comparison.seconds)}"),
    ]
    if comparison.forward is not None:
        later = f"{_words.count(comparison.forward.n_test)} later rows, learnt from earlier ones"
        facts.insert(1, ("forward in time", _words.score(comparison.forward.score), later))
    return tag("dl", [_fact(*fact) for fact in facts], class_="figures-row")


def _fact(name: str, value: str, detail: str) -> Markup:
    parts = tag("dt", name), tag("dd", value, class_="figure"), tag("dd", detail, class_="quiet")
    return tag("div", *parts)


def _leader(comparison: Comparison) -> Markup:
    results = comparison.results
    words = f"{comparison.metric[:1].upper()}{comparison.metric[1:]} by {comparison.folds}"
    if any(math.isfinite(result.score_se) for result in results):
        words += ", mean ± standard error; higher is better. Bars show two standard errors."
    else:
        words += "; higher is better."
    if any(math.isfinite(result.p_value) for result in results if result is not results[0]):
        words += (
            " The p-value belongs to a paired test of the difference to the best, corrected for "
            "the overlap of the folds."
        )
    meaning = _words.sentence(comparison.metric_words)
    return _sections.section(
        "models",
        "The models",
        tag("p", meaning) if meaning else None,
        _leaderboard.table(comparison),
        tag("p", words, class_="quiet"),
    )


def _footer(comparison: Comparison) -> Markup:
    words = f"Made by margin compare in {_words.duration(comparison.seconds)}."
    return join(tag("footer", words))
