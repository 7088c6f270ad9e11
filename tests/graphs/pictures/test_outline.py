import matplotlib.pyplot as plt
import numpy as np
import pytest

from margin.graphs.pictures._outline import Outline, outline


@pytest.mark.parametrize("text", ["earthquake", "a very long name of a node", "two\nlines here"])
def test_the_text_fits(text):
    """plotting.04: every corner of the written name lies inside the outline."""
    plt.switch_backend("agg")
    figure = plt.figure(dpi=72)
    written = figure.text(0.5, 0.5, text, fontsize=10, ha="center", va="center")
    box = written.get_window_extent(figure.canvas.get_renderer())
    plt.close(figure)
    shape = outline(text, 10.0, 26.0, False)
    a, b = shape.width / 2, shape.height / 2
    assert (box.width / 2 / a) ** 2 + (0.5 * box.height / b) ** 2 <= 1.0
    square = outline(text, 10.0, 26.0, True)
    assert square.width >= box.width
    assert square.height >= box.height


def test_short_names_stay_circles():
    assert outline("x", 10.0, 26.0, False) == Outline(26.0, 26.0)
    assert outline("x", 10.0, 26.0, False).marker() == "o"
    assert outline("", 10.0, 20.0, True) == Outline(12.0, 12.0, True)
    assert outline("", 10.0, 20.0, True).marker() == "s"


def test_markers_keep_the_shape():
    for square in (False, True):
        points = Outline(60.0, 20.0, square).marker().get_extents()
        assert points.width / points.height == pytest.approx(3.0)
        assert points.x0 == pytest.approx(-points.x1)


def test_reach_lies_on_the_outline():
    flat, box = Outline(40.0, 20.0), Outline(40.0, 20.0, square=True)
    for angle in np.linspace(0.1, 6.0, 9):
        x, y = np.cos(angle), np.sin(angle)
        r = flat.reach(3 * x, 3 * y)
        assert (r * x / 20) ** 2 + (r * y / 10) ** 2 == pytest.approx(1.0)
        r = box.reach(x, y)
        assert max(abs(r * x) / 20, abs(r * y) / 10) == pytest.approx(1.0)
    assert flat.reach(0.0, 0.0) == 10.0
