"""The search that is taken, and why."""

import pytest

from margin.neighbors.search._choice import choose
from margin.neighbors.search._metric import Metric

EUCLIDEAN = Metric("euclidean")


@pytest.mark.parametrize(
    ("metric", "n", "p", "method", "reason"),
    [
        (EUCLIDEAN, 10**5, 3, "kd_tree", "3 columns, few enough"),
        (EUCLIDEAN, 10**5, 50, "brute", "50 columns, too many"),
        (EUCLIDEAN, 50, 3, "brute", "50 rows, too few"),
        (Metric("canberra", measure="canberra"), 10**5, 3, "brute", "boxes do not bound"),
        (Metric("f", form="matrix", pairs=max), 10**5, 3, "brute", "by its matrices only"),
    ],
)
def test_auto(metric, n, p, method, reason):
    choice = choose("Model", "auto", metric, n, p)
    assert choice.method == method
    assert reason in choice.reason


def test_what_is_asked_for_is_taken_or_refused():
    assert choose("Model", "ball_tree", EUCLIDEAN, 5, 50).method == "ball_tree"
    for algorithm in ("kd_tree", "ball_tree"):
        with pytest.raises(ValueError, match=f"Model: Metric 'braycurtis' not valid .*{algorithm}"):
            choose(
                "Model", algorithm, Metric("braycurtis", measure="braycurtis", triangle=False), 5, 5
            )
