"""The XMLBIF format, friendly and hostile."""

import io

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.graphical import BayesianNetwork
from margin.graphical.formats._xmlbif import parse_xmlbif

HEAD = (
    '<?xml version="1.0"?><!DOCTYPE BIF [ <!ELEMENT BIF (NETWORK)*> ]><BIF VERSION="0.3"><NETWORK>'
)
RAIN = (
    '<VARIABLE TYPE="nature"><NAME>rain</NAME><OUTCOME>no</OUTCOME>'
    "<OUTCOME>yes &amp; more</OUTCOME></VARIABLE>"
)
WET = "<VARIABLE><NAME>wet</NAME><VALUE>no</VALUE><VALUE>yes</VALUE></VARIABLE>"
PRIOR = "<DEFINITION><FOR>rain</FOR><TABLE>0.7 0.3</TABLE></DEFINITION>"
TABLE = (
    "<PROBABILITY><FOR>wet</FOR><GIVEN>rain</GIVEN>"
    "<TABLE>0.8 0.2\n0.05 <!-- x --> 0.95</TABLE></PROBABILITY>"
)
TAIL = "</NETWORK></BIF>"


def test_the_node_counts_fastest():
    parsed = parse_xmlbif(HEAD + RAIN + WET + TABLE + PRIOR + TAIL)
    assert parsed.states["rain"] == ("no", "yes & more")
    assert_array_equal(parsed.tables["wet"], [[0.8, 0.2], [0.05, 0.95]])


def test_round_trip_keeps_every_digit(make_network, tmp_path):
    for seed in range(5):
        network = make_network(np.random.default_rng(seed))
        network.to_xmlbif(tmp_path / "net.xml")
        again = BayesianNetwork.from_xmlbif(tmp_path / "net.xml")
        assert again.states == network.states
        for name in network.variables:
            assert_array_equal(again.table(name), network.table(name))


LAUGHS = '<!DOCTYPE b [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><BIF>&b;</BIF>'
EXTERNAL = '<!DOCTYPE b [<!ENTITY a SYSTEM "file:///etc/hostname">]><BIF>&a;</BIF>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<BIF>", "well-formed XML"),
        ("", "well-formed XML"),
        (LAUGHS, "declare no entities"),
        (EXTERNAL, "declare no entities"),
        ("<a>" * 5000, "nested at most 32 deep"),
        (HEAD + RAIN + TAIL, "'rain' must have a DEFINITION"),
        (HEAD + RAIN + RAIN + TAIL, "variables must differ, got 'rain' twice"),
        (HEAD + RAIN + PRIOR + PRIOR + TAIL, "'rain' must have one DEFINITION"),
        (HEAD + PRIOR + TAIL, "'rain' must be a declared variable"),
        (HEAD + "<VARIABLE><NAME>a</NAME></VARIABLE>" + TAIL, "at least one OUTCOME, got 1 and 0"),
        (HEAD + RAIN + PRIOR.replace("0.3", "") + TAIL, "must hold 2 numbers, got 1"),
        (HEAD + RAIN + PRIOR.replace("0.3", "x") + TAIL, "must hold numbers"),
        (HEAD + RAIN + "<DEFINITION><FOR>rain</FOR></DEFINITION>" + TAIL, "one TABLE, got 0"),
    ],
)
def test_malformed_files_are_refused(text, message):
    with pytest.raises(ValueError, match=f"from_xmlbif: .*{message}"):
        parse_xmlbif(text)


def test_hostile_tables_are_refused_before_they_are_made():
    names = [f"v{i}" for i in range(60)]
    variables = "".join(RAIN.replace("rain", name) for name in names)
    given = "".join(f"<GIVEN>{name}</GIVEN>" for name in names[1:])
    table = f"<DEFINITION><FOR>v0</FOR>{given}<TABLE>1</TABLE></DEFINITION>"
    with pytest.raises(ValueError, match="entries in all, got 1152921504606846976"):
        parse_xmlbif(HEAD + variables + table + TAIL)


def test_the_declared_encoding_is_that_of_the_file():
    """A file in Latin-1 that says so, read from bytes and from text."""
    head = '<?xml version="1.0" encoding="ISO-8859-1"?><BIF VERSION="0.3"><NETWORK>'
    text = head + RAIN.replace("rain", "grêle") + PRIOR.replace("rain", "grêle") + TAIL
    for source in (io.BytesIO(text.encode("latin-1")), io.StringIO(text)):
        assert BayesianNetwork.from_xmlbif(source).variables == ("grêle",)


@pytest.mark.parametrize("encoding", ["UTF-16", "UTF-32", "UTF-16-LE", "UTF-16-BE"])
def test_wide_characters(encoding):
    """With a mark or, by the rule of XML, without one."""
    declared = encoding[:6]
    head = f'<?xml version="1.0" encoding="{declared}"?><BIF VERSION="0.3"><NETWORK>'
    text = head + RAIN.replace("rain", "pluie é") + PRIOR.replace("rain", "pluie é") + TAIL
    read = BayesianNetwork.from_xmlbif(io.BytesIO(text.encode(encoding)))
    assert read.variables == ("pluie é",)
    with pytest.raises(ValueError, match="from_xmlbif: file must be UTF-16, which it begins as"):
        BayesianNetwork.from_xmlbif(io.BytesIO(text.encode("UTF-16")[:-1]))


def test_half_a_character_is_refused():
    with pytest.raises(ValueError, match="from_xmlbif: file must hold text"):
        BayesianNetwork.from_xmlbif(io.StringIO(HEAD + "\udcff" + TAIL))


# Typed by hand in the manner of pyAgrum: a name for the software, properties, comments, tables of
# six digits over several lines, the parents in an order of their own.
AGRUM = """<?xml version="1.0" ?>

<BIF VERSION="0.3">
<NETWORK>
<NAME>anonymousBN</NAME>
<PROPERTY>software aGrUM</PROPERTY>

<!-- Variables -->
<VARIABLE TYPE="nature">
	<NAME>a</NAME>
	<PROPERTY>description = a</PROPERTY>
	<PROPERTY>fast = a[2]</PROPERTY>
<!--OUTCOME are kept for compatibility-->
	<OUTCOME>0</OUTCOME>
	<OUTCOME>1</OUTCOME>
</VARIABLE>
<VARIABLE TYPE="nature">
	<NAME>b</NAME>
	<PROPERTY>fast = b{x|y|z}</PROPERTY>
	<OUTCOME>x</OUTCOME>
	<OUTCOME>y</OUTCOME>
	<OUTCOME>z</OUTCOME>
</VARIABLE>
<VARIABLE TYPE="nature">
	<NAME>c</NAME>
	<OUTCOME>0</OUTCOME>
	<OUTCOME>1</OUTCOME>
</VARIABLE>

<!-- Probability distributions -->
<DEFINITION>
	<FOR>a</FOR>
	<TABLE>
		0.6 0.4
	</TABLE>
</DEFINITION>
<DEFINITION>
	<FOR>b</FOR>
	<GIVEN>a</GIVEN>
	<TABLE>
		0.333333 0.333333 0.333333
		0.25 0.25 0.5
	</TABLE>
</DEFINITION>
<DEFINITION>
	<FOR>c</FOR>
	<GIVEN>b</GIVEN>
	<GIVEN>a</GIVEN>
	<TABLE>
		0.9 0.1
		0.8 0.2
		0.7 0.3
		0.6 0.4
		0.5 0.5
		0.142857 0.857143
	</TABLE>
</DEFINITION>

</NETWORK>
</BIF>
"""


def test_a_file_in_the_manner_of_pyagrum():
    with pytest.warns(UserWarning, match="1 row of 'b' scaled"):
        network = BayesianNetwork.from_xmlbif(io.StringIO(AGRUM))
    assert network.states["b"] == ("x", "y", "z")
    assert_array_equal(network.table("c")[1], [[0.7, 0.3], [0.6, 0.4]])
    given_a = [(0.9 + 0.7 + 0.5) / 3, 0.25 * 0.8 + 0.25 * 0.6 + 0.5 * 0.142857]
    expected = 0.6 * given_a[0] + 0.4 * given_a[1]
    assert_allclose(network.marginals()["c"][0], expected, rtol=1e-12)
