import pytest

from margin.graphs import DAG, d_separated, explain_separation

GOLDEN = DAG.from_edges([("a", "e"), ("f", "e"), ("f", "b"), ("e", "c")])


def test_the_reason_is_named():
    """graphs.10"""
    answer = explain_separation(GOLDEN, "a", "b", "f")
    assert answer
    assert answer.complete
    (path,) = answer.paths
    assert path.nodes == ("a", "e", "f", "b")
    assert [(n.node, n.kind, n.blocks) for n in path.inner] == [
        ("e", "collider", True),
        ("f", "fork", True),
    ]
    assert not answer.open_paths


def test_open_paths_are_returned():
    """graphs.10"""
    answer = explain_separation(GOLDEN, "a", "b", "c")
    assert not answer
    assert [path.nodes for path in answer.open_paths] == [("a", "e", "f", "b")]
    assert "opened by its observed descendant c" in str(answer)
    assert "opened because it is observed" in str(explain_separation(GOLDEN, "a", "b", "e"))


def test_chains_forks_and_no_path_at_all():
    dag = DAG(["a", "b", "c", "d"], [("a", "b"), ("b", "c")])
    assert str(explain_separation(dag, "a", "c", "b")) == (
        "a and c are d-separated given b\n  blocked  a -> b -> c   at b: chain, observed"
    )
    assert str(explain_separation(dag, "c", "a")) == (
        "c and a are d-connected given nothing\n  open     c <- b <- a"
    )
    assert "no path joins them" in str(explain_separation(dag, "a", "d"))


@pytest.mark.parametrize("seed", range(10))
def test_answer_agrees_whether_or_not_the_list_is_complete(random_dag, seed):
    dag = random_dag(7, 0.45, seed)
    for given in ([], [2], [2, 3]):
        answer = explain_separation(dag, 0, [1, 6], given)
        cut = explain_separation(dag, 0, [1, 6], given, max_paths=1)
        expected = d_separated(dag, 0, [1, 6], given)
        assert bool(answer) == bool(cut) == expected
        assert cut.complete == (len(answer.paths) <= 1)
        lengths = [len(path.nodes) for path in answer.paths]
        assert lengths == sorted(lengths)
    if not cut.complete:
        assert "more paths than the 1 listed" in str(cut)


def test_a_dense_graph_does_not_list_forever():
    dag = DAG(40, [(i, j) for i in range(40) for j in range(i + 1, 40)])
    answer = explain_separation(dag, 0, 39, max_paths=50)
    assert not answer
    assert len(answer.paths) == 50
    assert not answer.complete
