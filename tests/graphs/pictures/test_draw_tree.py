import matplotlib.pyplot as plt
import pytest

from margin.graphs import draw_clique_tree, junction_tree


@pytest.fixture(autouse=True)
def _closed():
    plt.switch_backend("agg")
    yield
    plt.close("all")


def test_cliques_and_separators_are_written():
    """plotting.04"""
    tree = junction_tree([("a", "b"), ("b", "c"), ("c", "d", "e")])
    ax = tree.draw()
    assert ax is plt.gca()
    ax.figure.canvas.draw()
    written = sorted(text.get_text() for text in ax.texts)
    assert written == sorted(["a, b", "b, c", "c, d, e", "b", "c"])


def test_places_and_parts():
    tree = junction_tree([("a",), ("b",)])
    _, ax = plt.subplots()
    places = {("a",): (0.0, 0.0), ("b",): (3.0, 1.0)}
    assert draw_clique_tree(tree, ax, positions=places, separator=" ") is ax
    assert [text.get_position() for text in ax.texts] == [(0.0, 0.0), (3.0, 1.0)]
    low, high = ax.get_xlim()
    assert low < 0.0
    assert high > 3.0
