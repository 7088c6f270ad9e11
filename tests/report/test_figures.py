import dataclasses
from xml.etree import ElementTree as ET

from margin.evaluation import Importance
from margin.report import _figures


def words(root):
    return ["".join(t.itertext()) for t in root.iter("text")]


def test_learning_curve_labels_both_lines_and_says_each_value(classification):
    drawing = _figures.learning_curve(classification.learning_curve, "accuracy")
    root = ET.fromstring(drawing)
    assert {"training", "held out", "training rows", "accuracy"} <= set(words(root))
    tips = [t.text for t in root.iter("title")]
    assert "held out, 358 rows: 0.978 ± 0.005" in tips
    assert len(tips) == 2 * len(classification.learning_curve.sizes)


def test_learning_curve_of_one_size_can_be_drawn(classification):
    curve = dataclasses.replace(
        classification.learning_curve,
        **{
            field: getattr(classification.learning_curve, field)[:1]
            for field in ("sizes", "train_mean", "train_se", "test_mean", "test_se")
        },
    )
    ET.fromstring(_figures.learning_curve(curve, "R²"))


def test_line_labels_that_would_overlap_are_pushed_apart():
    first, second = _figures._apart([100.0, 104.0], 16)
    assert second - first == 16
    assert first + second == 204
    assert _figures._apart([10.0, 90.0], 16) == [10.0, 90.0]


def test_importance_sorts_bars_and_draws_them_in_proportion():
    items = [Importance("small", 0.1, 0.0), Importance("big", 0.4, 0.0)]
    root = ET.fromstring(_figures.importance(items, "accuracy"))
    names = [t.text for t in root.iter("text") if t.attrib["class"] == "name"]
    widths = [float(r.attrib["width"]) for r in root.iter("rect")]
    assert names == ["big", "small"]
    assert abs(widths[0] / widths[1] - 4) < 0.05


def test_importance_shows_the_largest_only_and_takes_negative_ones():
    items = [Importance(f"c{i}", 0.01 * i - 0.05, 0.01) for i in range(40)]
    root = ET.fromstring(_figures.importance(items, "R²"))
    assert len(list(root.iter("rect"))) == _figures.TOP_FEATURES
    negative = [Importance("x", -0.2, 0.1)]
    assert "−0.200" in words(ET.fromstring(_figures.importance(negative, "R²")))


def test_bounded_metrics():
    assert _figures.bounded("balanced accuracy")
    assert _figures.bounded("R²")
    assert not _figures.bounded("negative RMSE")
