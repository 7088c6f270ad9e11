import csv

import pytest

from margin.cli import _text
from margin.cli._errors import CommandError


def test_utf8_with_and_without_mark():
    assert _text.decoded("é".encode(), "x") == "é"
    assert _text.decoded("é".encode("utf-8-sig"), "x") == "é"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_wrong_byte_is_placed_exactly(mark):
    content = mark + b"name\nok\ncaf\xe9,1\n"
    with pytest.raises(CommandError) as caught:
        _text.decoded(content, "x.csv")
    place = content.index(b"\xe9")
    assert f"byte 0xe9 at position {place} (line 3)" in str(caught.value)
    assert "iconv" in str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a,b".encode("utf-16"), "UTF-16"),
        (b"PK\x03\x04rest", "Excel"),
        (b"\x1f\x8brest", "compressed"),
        (b"\x80\x04rest", "pickle"),
        (b"a,b\n1,\x00\n", "binary file (zero byte at position 6)"),
    ],
)
def test_other_kinds_of_file_are_recognised(content, words):
    with pytest.raises(CommandError) as caught:
        _text.decoded(content, "x.csv")
    assert words in str(caught.value)


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_delimiter(sign):
    rows = [["name", "value", "text"], ["a", "1", "x y"], ["b", "2", '"p,q;r"']]
    assert _text.delimiter("\n".join(sign.join(row) for row in rows)) == sign


def test_delimiter_inside_quotes_does_not_count():
    assert _text.delimiter('a;b\n"1,2,3";x\n"4,5,6";y\n') == ";"


@pytest.mark.parametrize("text", ["", "one\n1\n2\n"])
def test_single_column(text):
    assert _text.delimiter(text) == ","


def test_repeated_names_and_missing_header():
    with pytest.raises(CommandError, match="repeated: 'a'"):
        _text.check_header("a, b, a\n1,2,3", ",", "x")
    with pytest.raises(CommandError, match="must hold column names"):
        _text.check_header("1,2.5,-3\n4,5,6", ",", "x")
    _text.check_header("a,b,1\n", ",", "x")


def test_decimal_comma_needs_another_delimiter_and_no_points():
    assert _text.decimal_comma("a;b\n1,5;2\n", ";")
    assert not _text.decimal_comma("a,b\n1,5\n", ",")
    assert not _text.decimal_comma("a;b\n1,5;2.5\n", ";")


def test_a_very_wide_table_is_read():
    """A line of 10^5 columns is one field of a megabyte to all delimiters but one."""
    names = [f"column {j}" for j in range(100_000)]
    text = ";".join(names) + "\n" + ";".join("1" * 100_000) + "\n"
    usual = csv.field_size_limit()
    assert _text.delimiter(text) == ";"
    _text.check_header(text, ";", "wide.csv")
    assert [len(row) for row in _text.rows(text, ";")] == [100_000, 100_000]
    assert csv.field_size_limit() == usual


def test_repeated_names_are_seen_at_the_end_of_a_long_line():
    names = [f"column {j}" for j in range(40_000)]
    with pytest.raises(CommandError, match="repeated: 'column 7'"):
        _text.check_header(",".join([*names, "column 7"]) + "\n1\n", ",", "wide.csv")
