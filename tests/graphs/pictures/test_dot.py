import pytest

from margin.graphs import DAG, FactorGraph, MixedGraph, UndirectedGraph, dot


def test_kinds_of_edges():
    """plotting.04"""
    text = MixedGraph(3, [(0, 1)], [(1, 2)], [(0, 2)]).to_dot()
    assert text.startswith('digraph "G" {')
    assert "n0 -> n1;" in text
    assert "n1 -> n2 [dir=both, style=dashed];" in text
    assert "n0 -> n2 [dir=none];" in text
    assert "n0 -- n1;" in dot(UndirectedGraph(2, [(0, 1)]))
    assert '[label="f", shape=box]' in dot(FactorGraph(1, {"f": [0]}))


@pytest.mark.parametrize("name", ['say "x"', "back\\slash", "new\nline", "}; evil"])
def test_odd_names_stay_inside_their_quotes(name):
    text = DAG([name]).to_dot(name)
    assert len(text.splitlines()) == 3
    body = text.splitlines()[1]
    inside = body[body.index('"') + 1 : body.rindex('"')]
    assert inside.replace("\\\\", "").replace('\\"', "").count('"') == 0


def test_nodes_that_print_alike_stay_two():
    text = DAG([1, "1"], [(1, "1")]).to_dot()
    assert text.count('[label="1"]') == 2
    assert "n0 -> n1;" in text
