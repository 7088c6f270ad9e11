"""The BIF format, friendly and hostile."""

import io

import pytest
from numpy.testing import assert_array_equal

from margin.graphical import BayesianNetwork
from margin.graphical.formats._bif import parse_bif

ODD = """
// a comment with { braces } and "quotes
network "odd names" { property author = "someone; {else}"; }
/* probability ( x ) { nothing }
   over lines */
probability ( "wet ground" | rain, s-1 ) {   // tables may precede their variables
  (no, <5) 0.8 0.2;                           /* commas are optional */
  ("a \\"b\\"", <5) 1e-1, 9E-1;
  default 0.5, 0.5;
  (no, "5, or more") 0.25, 0.75;
}
variable rain { type discrete [ 2 ] { no, "a \\"b\\"" }; property position = (1, 2); }
variable "wet ground"{type discrete[2]{no yes};}
variable s-1 {
  property weight = none;
  type discrete [ 2 ] { <5, "5, or more" };
}
probability ( rain ) { table 0.7, 0.3; }
probability ( s-1 rain ) { table 0.1, 0.2, 0.9, 0.8; }
"""


def test_comments_quotes_and_missing_commas():
    parsed = parse_bif(ODD)
    assert parsed.states["rain"] == ("no", 'a "b"')
    assert parsed.states["s-1"] == ("<5", "5, or more")
    assert parsed.parents == {"wet ground": ("rain", "s-1"), "rain": (), "s-1": ("rain",)}
    wet = parsed.tables["wet ground"]
    assert_array_equal(wet, [[[0.8, 0.2], [0.25, 0.75]], [[0.1, 0.9], [0.5, 0.5]]])


def test_whole_table_counts_the_node_slowest():
    assert_array_equal(parse_bif(ODD).tables["s-1"], [[0.1, 0.9], [0.2, 0.8]])


def variable(name="a", states="x, y", count=2):
    return f"variable {name} {{ type discrete [ {count} ] {{ {states} }}; }}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "line 1 must hold network, variable or probability, got 'nonsense'"),
        ("network x {", "line 1 must hold '}', got 'the end of the file'"),
        ("network x { /* never closed", "comments must end"),
        ('network "never closed { }', "must hold '{'"),
        ("variable a { type continuous; }", "must hold 'discrete', got 'continuous'"),
        (variable(count=1000000000000), "1000000000000 states of 'a', got '2'"),
        (variable(states="", count=0), "states of 'a'"),
        (variable(states="x, x"), "different states of 'a'"),
        (variable() + variable(), "line 2 must hold a new variable"),
        (variable(), "'a' must have a probability block, got none"),
        ("variable { }", "must hold a name, got '{'"),
        (variable() + "probability ( b ) { table 1; }", "a declared variable, got 'b'"),
        (variable() + "probability ( a | a ) { table 1; }", "different variables"),
        (variable() + "probability ( a ) { table 0.5; }", "line 2 must hold 2 numbers, got '1'"),
        (variable() + "probability ( a ) { table 0.5, half; }", "numbers, got"),
        (variable() + "probability ( a ) { table 0.5, 0.5 }", "got 'the end of the file'"),
        (variable() + "probability ( a ) { }", "a row of 'a' for table"),
        (variable() + "probability ( a ) { huge 1; }", "'[(]', table, default or '}', got 'huge'"),
        (
            variable() + "probability ( a ) { table 0.5, 0.5; } probability ( a ) { table 1, 0; }",
            "one probability block per variable",
        ),
        (
            variable() + variable("b") + "probability ( a | b ) { (x) 1, 0; (x) 1, 0; }",
            "one row per configuration",
        ),
        (variable() + variable("b") + "probability ( a | b ) { (x) 1, 0; }", "for b=y"),
        (variable() + variable("b") + "probability ( a | b ) { (z) 1, 0; }", "a state of 'b'"),
        (variable() + variable("b") + "probability ( a | b ) { (x, y) 1, 0; }", "1 states"),
        ("variable a { " * 50_000, "got"),
        ("(" * 100_000, "network, variable or probability"),
    ],
)
def test_malformed_files_are_refused(text, message):
    with pytest.raises(ValueError, match=f"from_bif: .*{message}"):
        parse_bif(text)


@pytest.mark.parametrize(
    ("number", "message"),
    [
        ("0.9", "must sum to 1, got 1.4"),
        ("nan", "finite"),
        ("1e999", "finite"),
        ("-1", "at least 0"),
    ],
)
def test_bad_numbers_name_the_column(number, message):
    text = variable() + variable("b")
    text += "probability ( b ) { table 0.5, 0.5; }"
    text += f"probability ( a | b ) {{ (x) 0.5, 0.5; (y) {number}, 0.5; }}"
    with pytest.raises(ValueError, match=f"column of 'a'.*{message}"):
        BayesianNetwork.from_bif(io.StringIO(text))


def test_hostile_tables_are_refused_before_they_are_made():
    names = [f"v{i}" for i in range(60)]
    text = "".join(variable(name) for name in names)
    text += "".join(f"probability ( {n} ) {{ table 0.5, 0.5; }}" for n in names[1:])
    text += f"probability ( v0 | {', '.join(names[1:])} ) {{ default 0.5, 0.5; }}"
    with pytest.raises(ValueError, match="entries in all, got 1152921504606846976 for 'v0'"):
        parse_bif(text)


@pytest.mark.parametrize("piece", ["/* ", '"', "{ ", "a", "( ", "// \n", "\\", '"\\'])
def test_work_is_linear_in_hostile_repetition(piece):
    # Quadratic work takes hours at this length: the test would not come back.
    with pytest.raises(ValueError, match="from_bif"):
        parse_bif("network x { } " + piece * (2_000_000 // len(piece)))


def test_an_empty_file_and_a_word_for_a_number():
    with pytest.raises(ValueError, match="file must declare a variable, got none"):
        parse_bif("network nothing { }")
    text = "variable a { type discrete [ 2 ] { n, y }; }\nprobability ( a ) { table 0.5, x; }"
    with pytest.raises(ValueError, match="line 2 must hold numbers, got 'x'"):
        parse_bif(text)
