import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal.identification._expressions import (
    LATEX,
    Joint,
    Probability,
    Product,
    Ratio,
    Total,
    product,
    total,
)

TABLE = np.random.default_rng(0).dirichlet(np.ones(12)).reshape(2, 3, 2)
JOINT = Joint(("a", "b", "c"), TABLE)


def test_values_have_an_axis_for_every_variable():
    conditional = Probability(("c",), ("a",)).evaluate(JOINT)
    expected = TABLE.sum(axis=1) / TABLE.sum(axis=(1, 2))[:, None]
    assert_allclose(conditional[:, 0, :], expected)
    whole = product([Probability(("a",)), Probability(("b", "c"), ("a",))])
    assert_allclose(whole.evaluate(JOINT), TABLE)
    assert_allclose(Total(("b",), whole).evaluate(JOINT)[:, 0], TABLE.sum(axis=1))
    assert_allclose(Ratio(whole, whole).evaluate(JOINT), 1)
    assert_allclose(Product(()).evaluate(JOINT), 1)


def test_what_never_happens_counts_zero():
    joint = Joint(("a", "b"), np.array([[0.0, 0.0], [0.5, 0.5]]))
    assert_allclose(Probability(("b",), ("a",)).evaluate(joint), [[0, 0], [0.5, 0.5]])


def test_sums_are_simplified_only_where_they_are_one():
    chain = product([Probability(("b",), ("a",)), Probability(("c",), ("b",))])
    assert str(total(["c"], chain)) == "P(b | a)"
    assert str(total(["b"], chain)) == "Σ_{b} P(b | a) P(c | b)"
    assert str(total(["b", "c"], chain)) == "1"
    for over in (["c"], ["b"], ["b", "c"]):
        plain = Total(tuple(over), chain).evaluate(JOINT)
        assert_allclose(np.broadcast_to(total(over, chain).evaluate(JOINT), plain.shape), plain)
    nested = total(["a"], total(["b"], product([Probability(("a",)), chain])))
    assert isinstance(nested, Total)
    assert set(nested.over) == {"a", "b"}


def test_free_and_all_variables():
    inner = Total(("b",), Probability(("a", "b"), ("c",)))
    assert inner.free == {"a", "c"}
    assert inner.variables == {"a", "b", "c"}
    assert Ratio(inner, Probability(("d",))).variables == {"a", "b", "c", "d"}


def test_names_in_formulas():
    shadowed = product([Probability(("x",)), Total(("x",), Probability(("x",)))])
    assert str(shadowed) == "P(x) Σ_{x'} P(x')"
    assert Probability(("long_name",), ("b",)).written(LATEX) == (r"P(\mathrm{long\_name} \mid b)")
    assert Probability(("5 %_&#$", "%"), ("a{b}",)).written(LATEX) == (
        r"P(\mathrm{5\ \%\_\&\#\$}, \mathrm{\%} \mid \mathrm{a\{b\}})"
    )
    awkward = Probability(("a^b~\\c",)).written(LATEX)
    assert awkward == r"P(\mathrm{a\hat{\ }b\sim c}".replace("c}", r"\backslash c})")
    several = product([Total(("a",), Probability(("a", "b"))), Total(("a",), Probability(("a",)))])
    assert str(several) == "[Σ_{a} P(a, b)] [Σ_{a} P(a)]"
    assert str(Ratio(Probability(("a",)), Probability(("b",)))) == "[P(a)] / [P(b)]"


def test_marginals_keep_their_axes():
    assert JOINT.marginal(["b"]).shape == (1, 3, 1)
    assert JOINT.axes(["c", "a"]) == (2, 0)
    with pytest.raises(ValueError, match="not in tuple"):
        JOINT.axes(["d"])
