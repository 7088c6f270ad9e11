import pytest

from margin.causal import CausalGraph
from margin.causal.graph._dagitty import dagitty_text, parse_dagitty


def test_what_the_language_knows():
    text = """
    dag {
      bb="0,0,1,1"
      A [exposure,pos="-2.2,-1.5"]   // where it stands in a picture
      "Y 1" [outcome]
      U [latent]
      /* chains and groups */
      A -> M -> "Y 1" <- Z
      U -> { A "Y 1" }
      Z <-> M ; W
    }
    """
    read = parse_dagitty(text)
    assert list(read.nodes) == ["A", "Y 1", "U", "M", "Z", "W"]
    assert read.directed == [("A", "M"), ("M", "Y 1"), ("Z", "Y 1"), ("U", "A"), ("U", "Y 1")]
    assert read.bidirected == [("Z", "M")]
    assert (read.latent, read.exposures, read.outcomes) == (["U"], ["A"], ["Y 1"])
    graph = CausalGraph.from_dagitty(text)
    assert set(graph.nodes) == {"A", "Y 1", "M", "Z", "W"}
    assert {frozenset(pair) for pair in graph.bidirected} == {
        frozenset(("A", "Y 1")), frozenset(("Z", "M")),
    }  # fmt: skip


def test_awkward_names_survive():
    text = dagitty_text(["a b", 'say "x"', "c-d", "e"], [("a b", 'say "x"')], [("c-d", "e")])
    read = parse_dagitty(text)
    assert list(read.nodes) == ["a b", 'say "x"', "c-d", "e"]
    assert read.directed == [("a b", 'say "x"')]
    assert read.bidirected == [("c-d", "e")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "text must be of the form 'dag"),
        ("dag { a -> b", "text must be of the form 'dag"),
        ("pdag { a -- b }", "text must be a graph of kind 'dag', got 'pdag'"),
        ("dag { a -- b }", "text must be of arrows and bidirected edges"),
        ("dag { a -> }", "text must be complete"),
        ("dag { a -> ; b }", "text must be a name here, got"),
        ("dag { a [latent }", "text must be complete"),
        ("dag { a > b }", "text must be in dagitty's format"),
    ],
)
def test_texts_that_are_none(text, message):
    with pytest.raises(ValueError, match=f"from_dagitty: {message}"):
        CausalGraph.from_dagitty(text)
