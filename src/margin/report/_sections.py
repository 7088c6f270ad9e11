"""Sections of the page below the leaderboard: diagnostics, fits, data, notes, how to repeat it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from margin.evaluation import Comparison
from margin.report import _classification, _decision, _figures, _regression, _words
from margin.report._axes import minus
from margin.report._markup import Markup, join, tag

TRUST = "Can the probabilities be trusted?"
MOST_CURVES = 12
COVERAGE = "Do the intervals hold?"


def section(identity: str, title: str, *content: Any) -> Markup:
    """A section with a heading that the navigation points to."""
    return tag("section", tag("h2", title), *content, id=identity)


def picture(title: str, drawing: Markup, words: str = "") -> Markup:
    """A figure with a heading above and an explanation below."""
    caption = tag("figcaption", words) if words else None
    return tag("figure", tag("h3", title), drawing, caption)


def missing(title: str, why: str) -> Markup:
    """The place of a picture that could not be drawn, with the reason."""
    return tag("figure", tag("h3", title), tag("p", why, class_="missing"))


def diagnostics(comparison: Comparison) -> Markup:
    """Learning curve and the pictures of the winner's test predictions."""
    curve = comparison.learning_curve
    if curve is not None and curve.sizes:
        drawing = _figures.learning_curve(curve, comparison.metric)
        first = picture("Are the data enough?", drawing, _words.sentence(curve.verdict))
    else:
        why = why_missing(comparison, "learning curve")
        first = missing("Are the data enough?", f"No learning curve: {why}.")
    of_task = _classifier if comparison.task == "classification" else _regressor
    return tag("div", first, of_task(comparison), _importance(comparison), class_="figures")


def why_missing(comparison: Comparison, part: str) -> str:
    """Why a part of the page is not there: as the comparison tells, else as it ended."""
    told = dict(comparison.missing).get(part)
    if told is not None:
        return told
    if comparison.interrupted:
        return "the run was interrupted before it was done"
    if comparison.out_of_budget or comparison.limits.out_of_time:
        return "the time budget was spent; a larger one has room for it"
    return "there are too few rows for it"


def _classifier(comparison: Comparison) -> list[Markup]:
    figures = []
    truth, guess, classes = comparison.y_test, comparison.y_pred, comparison.classes
    if comparison.y_proba is not None and len(truth):
        drawing, words = _classification.calibration(truth, comparison.y_proba, classes)
        words += " On the dotted line, probabilities mean what they say."
        if comparison.calibration is not None:
            words += f" In predictions, {comparison.calibration.text}."
        elif "calibration" in dict(comparison.missing):
            why = why_missing(comparison, "calibration")
            words += f" They are not calibrated: {why}."
        figures.append(picture(TRUST, drawing, words))
    else:
        why = f"{comparison.winner} answers with classes only, without probabilities."
        figures.append(missing(TRUST, why))
    figures += _decision_pictures(comparison)
    if len(classes) <= _classification.MOST_CLASSES:
        drawing = _classification.confusion(truth, guess, classes)
        right = int(np.sum(truth == guess))
        words = f"{right} of {len(truth)} test rows are right; the shade is the share of a row."
    else:
        pairs = _classification.worst_pairs(truth, guess, classes)
        drawing = _table(("true", "predicted", "rows"), pairs)
        words = f"The most frequent mistakes among {len(classes)} classes."
    figures.append(picture("Which classes are mixed up?", drawing, words))
    return figures


def _decision_pictures(comparison: Comparison) -> list[Markup]:
    """How well rows are ranked: of two classes by a threshold, of more each against the rest."""
    curves = comparison.curves
    if curves is not None:
        return [
            picture("Does it rank well?", *_decision.roc(curves)),
            picture("What does the threshold trade?", *_decision.precision_recall(curves)),
        ]
    several = comparison.class_curves
    if several:
        return [
            picture("Does it rank well?", *_decision.all_roc(several)),
            picture("How pure are the first rows?", *_decision.all_precision_recall(several)),
        ]
    title = "What does the threshold trade?"
    if len(comparison.classes) > MOST_CURVES:
        why = f"there are {len(comparison.classes)} classes, more than {MOST_CURVES}"
        return [missing("Does it rank well?", f"No curves: {why}.")]
    why = "test rows of every class and probabilities are needed for ROC and precision–recall"
    title = title if len(comparison.classes) == 2 else "Does it rank well?"
    return [missing(title, f"No curves: {why}.")]


def _regressor(comparison: Comparison) -> list[Markup]:
    truth = np.asarray(comparison.y_test, dtype=np.float64)
    guess = np.asarray(comparison.y_pred, dtype=np.float64)
    residual = truth - guess
    mean = minus(f"{residual.mean():.3g}")
    spread = f"Standard deviation {residual.std():.4g}, mean {mean}."
    figures = [
        picture(
            "What is left unexplained?",
            _regression.residuals(truth, guess),
            "A line away from zero means that the model misses structure.",
        ),
        picture("How large are the errors?", _regression.distribution(residual), spread),
        picture(
            "Are the errors normal?",
            _regression.quantiles(residual),
            "Points far off the dotted line at the ends are heavy tails or outliers.",
        ),
    ]
    if comparison.y_interval is not None:
        drawing, words = _regression.coverage(truth, guess, comparison.y_interval)
        figures.append(picture(COVERAGE, drawing, words))
    else:
        why = f"{comparison.winner} predicts single values, without intervals."
        if "intervals" in dict(comparison.missing):
            why = f"No intervals: {why_missing(comparison, 'intervals')}."
        figures.append(missing(COVERAGE, why))
    return figures


def _importance(comparison: Comparison) -> Markup:
    if not comparison.importances:
        return missing(
            "Which columns matter?", f"Not measured: {why_missing(comparison, 'importance')}."
        )
    hidden = len(comparison.importances) - _figures.TOP_FEATURES
    words = "Loss of test score when a column is shuffled; the thin line is one standard deviation."
    if hidden > 0:
        words += f" {hidden} less important columns are not shown."
    drawing = _figures.importance(comparison.importances, comparison.metric)
    return picture("Which columns matter?", drawing, words)


def fits(comparison: Comparison) -> Markup:
    """How each fit went: the winner's report open, the others folded."""
    parts = [tag("pre", comparison.fit_report or "The winner leaves no fit report.")]
    for result in comparison.results:
        if result.fit_report and result.model != comparison.winner:
            parts.append(
                tag("details", tag("summary", result.model), tag("pre", result.fit_report))
            )
    return section("fit", f"How {comparison.winner} was fitted", *parts)


def notes(comparison: Comparison) -> Markup | None:
    """Warnings, models that were not run, and why the run ended early; nothing if all is well."""
    said = _early(comparison) + [_words.sentence(words) for words in comparison.warnings]
    items = [tag("li", words) for words in said]
    reasons = dict.fromkeys(why for _, why in comparison.skipped)
    items += [tag("li", _not_run(comparison, why)) for why in reasons]
    return section("notes", "Worth knowing", tag("ul", items)) if items else None


def _not_run(comparison: Comparison, reason: str) -> Markup:
    names = [name for name, why in comparison.skipped if why == reason]
    parts = [tag("strong", name) for name in names]
    listed = [join(", " if i else "", part) for i, part in enumerate(parts)]
    return join(listed, " were not run: " if len(names) > 1 else " was not run: ", reason)


def _early(comparison: Comparison) -> list[str]:
    if comparison.interrupted:
        return ["The run was interrupted: this page covers what was finished by then."]
    if comparison.out_of_budget:
        return ["The time budget ran out: a longer run may change the order."]
    return []


def repeat(comparison: Comparison, command: str, versions: Mapping[str, str]) -> Markup:
    """The exact command, the seed and the versions."""
    facts = {"Seed": str(comparison.seed), "Folds": comparison.folds, **versions}
    pairs = [
        tag("div", tag("dt", name), tag("dd", value)) for name, value in facts.items() if value
    ]
    return section(
        "repeat",
        "To repeat this",
        tag("pre", tag("code", command)) if command else None,
        tag("dl", pairs, class_="facts"),
    )


def _table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Markup:
    head = tag("tr", [tag("th", name, scope="col") for name in names])
    body = [tag("tr", [tag("td", value) for value in row]) for row in rows]
    return tag("table", tag("thead", head), tag("tbody", body))
