import dataclasses
import math
import re
from html.parser import HTMLParser

import pytest

from margin import report
from margin.evaluation import ForwardScore, Limits

VOID = {"meta", "br", "hr"}


class Checker(HTMLParser):
    """Fails on elements that are not closed, collects identities and links."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.seen = [], set(), [], set()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.seen.add(tag)
        self.ids.add(attrs.get("id"))
        self.links += [v for k, v in attrs.items() if k in {"href", "src"}]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(params=["classification", "regression"])
def comparison(request):
    return request.getfixturevalue(request.param)


def test_page_is_well_formed_and_its_links_lead_somewhere(comparison):
    checker = Checker()
    checker.feed(report.render(comparison))
    assert checker.open == []
    assert all(link[0] == "#" and link[1:] in checker.ids for link in checker.links)


def test_page_needs_nothing_else(comparison):
    page = report.render(comparison)
    assert not re.search(r"https?://|url\(|@import|<script|<link|<img", page)
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page


def test_hostile_names_stay_text(comparison):
    page = report.render(comparison, command="<script>", versions={"<b>": "<i>"})
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert not re.search(r"\bnan\b", page)


def test_headline_verdict_and_interval_come_first(classification):
    page = report.render(classification)
    top = page[: page.index("The models")]
    assert classification.verdict.split(";")[0] in top
    assert "0.936 to 0.985" in top
    assert "0.628" in top


def test_versions_of_this_installation_are_the_default(regression):
    import numpy as np

    assert f"<dt>numpy</dt><dd>{np.__version__}</dd>" in report.render(regression)


def test_file_is_replaced_in_one_step(classification, tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    assert report.write_html(classification, path, command="margin compare") == path
    first = path.read_text(encoding="utf-8")
    assert first == report.render(classification, command="margin compare")

    def fail(*args):
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        report.write_html(classification, path)
    assert path.read_text(encoding="utf-8") == first
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_what_limited_the_answer_stands_before_the_verdict(classification):
    limits = Limits(60.0, folds=(("LogisticRegression", 2),), out_of_time=True)
    page = report.render(dataclasses.replace(classification, limits=limits))
    said = page.index("The budget of 60 s ended the race when the leaders had 2 folds.")
    assert page.index("<h1>") < said < page.index('class="verdict"')
    assert "What limited this answer" not in report.render(classification)


def test_the_score_forward_in_time_stands_beside_the_random_one(regression):
    forward = ForwardScore("day", "column 'day' holds dates", 0.645, 0.936, 750, 250)
    page = report.render(dataclasses.replace(regression, forward=forward))
    assert page.index("test R²") < page.index("forward in time") < page.index(">baseline<")
    assert "0.645" in page


def test_the_metric_is_explained(regression):
    known = {"metric_words": "R² is the share of variance explained"}
    page = report.render(dataclasses.replace(regression, **known))
    assert "<p>R² is the share of variance explained.</p>" in page


def test_the_words_below_the_models_speak_of_what_is_shown(classification):
    assert "p-value belongs" in report.render(classification)
    one = dataclasses.replace(classification, results=tuple(
        dataclasses.replace(r, scores=r.scores[:1], score_se=math.nan, p_value=math.nan)
        for r in classification.results
    ))  # fmt: skip
    page = report.render(one)
    assert "p-value belongs" not in page
    assert "standard error;" not in page
    assert "; higher is better." in page
