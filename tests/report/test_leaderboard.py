import dataclasses
from xml.etree import ElementTree as ET

from margin.evaluation import Baseline
from margin.report import _leaderboard


def table_of(comparison):
    return ET.fromstring(_leaderboard.table(comparison))


def text(element):
    return "".join(element.itertext())


def test_rows_are_in_order_and_the_winner_is_marked(classification):
    rows = table_of(classification).findall(".//tbody/tr")
    assert len(rows) == len(classification.results)
    assert [r.attrib.get("class") for r in rows] == ["winner", *[None] * 5]
    assert "LogisticRegression" in text(rows[0])
    assert "best" in text(rows[0])


def test_row_tells_score_difference_and_status(classification):
    row = table_of(classification).findall(".//tbody/tr")[1]
    cells = [text(cell) for cell in row]
    assert cells[1] == "0.962 ± 0.007"
    assert cells[3] == "0.016p = 0.034"
    assert cells[6] == "converged"


def test_one_fold_gives_neither_error_nor_test(classification):
    single = [
        dataclasses.replace(r, scores=(r.score,), score_se=float("nan"))
        for r in classification.results[:2]
    ]
    rows = table_of(dataclasses.replace(classification, results=tuple(single)))
    cells = [text(cell) for cell in rows.findall(".//tbody/tr")[1]]
    assert (cells[1], cells[3]) == ("0.962", "0.016")


def test_failed_model_has_a_row_without_numbers(classification):
    row = table_of(classification).findall(".//tbody/tr")[-1]
    assert [text(cell) for cell in row][1:4] == ["–", "", "–"]
    assert row.find(".//span[@class='status bad']") is not None


def test_dots_lie_in_the_order_of_the_scores(classification):
    rows = table_of(classification).findall(".//tbody/tr")[:5]
    places = [float(row.find(".//circle").attrib["cx"]) for row in rows]
    assert places == sorted(places, reverse=True)
    assert all(0 <= p <= _leaderboard.STRIP for p in places)


def test_model_far_below_the_baseline_does_not_squeeze_the_others(classification):
    awful = dataclasses.replace(classification.results[1], model="Awful", score=-40.0)
    comparison = dataclasses.replace(classification, results=(*classification.results, awful))
    rows = table_of(comparison).findall(".//tbody/tr")
    places = [float(row.find(".//circle").attrib["cx"]) for row in rows[:5]]
    assert places[0] - places[4] > 0.8 * _leaderboard.STRIP
    assert rows[-1].find(".//circle") is None
    assert "‹" in text(rows[-1])


def test_verdict_chart_places_winner_and_baseline(classification):
    root = ET.fromstring(_leaderboard.verdict_chart(classification))
    words = [t.text for t in root.iter("text")]
    assert "baseline" in words
    assert "LogisticRegression" in words
    near = dataclasses.replace(classification, baseline=Baseline("MajorityClass", 0.96))
    close = ET.fromstring(_leaderboard.verdict_chart(near))
    assert "baseline" not in [t.text for t in close.iter("text")]
