"""The XMLBIF format, friendly and hostile."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

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
