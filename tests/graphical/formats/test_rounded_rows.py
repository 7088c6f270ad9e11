"""Rows that miss one by the rounding of the file."""

import io
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.graphical import BayesianNetwork
from margin.graphical.formats._network_file import ParsedNetwork
from margin.graphical.formats._rounded_rows import whole_rows


def network(**tables):
    arrays = {name: np.array(table) for name, table in tables.items()}
    return ParsedNetwork({}, dict.fromkeys(arrays, ()), arrays)


@pytest.mark.parametrize(
    ("states", "digits"),
    [(3, 2), (3, 3), (3, 6), (3, 8), (6, 3), (7, 6), (7, 7), (30, 3), (30, 6), (30, 8)],
)
def test_equal_shares_of_any_precision(states, digits):
    share = float(f"{1 / states:.{digits}g}")
    with pytest.warns(UserWarning, match="from_bif: 1 row of 'x' scaled to sum to 1"):
        whole = whole_rows("from_bif", network(x=[share] * states))
    assert_allclose(whole.tables["x"], 1 / states, rtol=1e-15)


def test_only_the_rows_that_need_it_are_touched():
    table = [[0.25, 0.75], [0.123457, 0.876544]]
    with pytest.warns(UserWarning, match=r"1 row of 'x' .*rounded to 6 digits, off by .* 1e-06"):
        whole = whole_rows("from_uai", network(x=table, y=[0.5, 0.5]))
    assert_array_equal(whole.tables["x"][0], [0.25, 0.75])
    assert_allclose(whole.tables["x"][1].sum(), 1.0, rtol=1e-15)


@pytest.mark.parametrize(
    "table", [[0.25, 0.75], [1 / 3, 1 / 3, 1 / 3], [0.1] * 10, [1.0], [0.1 + 1e-13, 0.9]]
)
def test_rows_with_all_their_digits_keep_every_bit(table):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole = whole_rows("from_bif", network(x=table))
    assert_array_equal(whole.tables["x"], table)


@pytest.mark.parametrize(
    ("rows", "sums"), [("0.5 0.4", 0.9), ("0.333333 0.6", 0.933333), ("0.5 0.48", 0.98)]
)
def test_a_sum_that_rounding_does_not_explain_is_refused(rows, sums):
    text = f"BAYES 1 2 1 1 0 2 {rows}"
    with pytest.raises(ValueError, match=f"must sum to 1, got {sums}"):
        BayesianNetwork.from_uai(io.StringIO(text))


def test_the_other_rows_of_a_file_tell_its_precision():
    """0.99 would be two digits in a file of its own; beside six digits it is a mistake."""
    with pytest.warns(UserWarning, match="scaled"):
        BayesianNetwork.from_uai(io.StringIO("BAYES 1 3 1 1 0 3 0.33 0.33 0.33"))
    with pytest.raises(ValueError, match=r"must sum to 1, got 0\.99"):
        BayesianNetwork.from_uai(
            io.StringIO("BAYES 2 3 2 2 1 0 1 1 3 0.33 0.33 0.33 2 0.123456 0.876544")
        )


SIX_DIGITS = {
    "bif": """network six { }
        variable x { type discrete [ 3 ] { a, b, c }; }
        probability ( x ) { table .333333, .333333, .333333; }""",
    "xmlbif": """<BIF VERSION="0.3"><NETWORK><VARIABLE TYPE="nature"><NAME>x</NAME>
        <OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME><OUTCOME>c</OUTCOME></VARIABLE><DEFINITION>
        <FOR>x</FOR><TABLE>.333333 .333333 .333333</TABLE></DEFINITION></NETWORK></BIF>""",
    "uai": "BAYES 1 3 1 1 0 3 .333333 .333333 .333333",
}


@pytest.mark.parametrize("kind", SIX_DIGITS)
def test_every_reader_scales_and_says_so(kind):
    read = getattr(BayesianNetwork, f"from_{kind}")
    with pytest.warns(UserWarning, match=f"from_{kind}: 1 row") as told:
        model = read(io.StringIO(SIX_DIGITS[kind]))
    assert told[0].filename == __file__
    assert_allclose(next(iter(model.marginals().values())), 1 / 3, rtol=1e-15)
