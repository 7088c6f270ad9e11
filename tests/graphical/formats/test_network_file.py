"""Bounded reading of network files."""

import gzip
import io

import pytest

from margin.graphical.formats._network_file import EntryBudget, ParsedNetwork, read_text, write_text


def test_paths_files_and_gzip(tmp_path):
    path = tmp_path / "a.bif"
    path.write_text("network ü { }", encoding="utf-8")
    packed = tmp_path / "a.bif.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    binary = io.BytesIO(path.read_bytes())
    for source in (path, str(path), packed, io.StringIO("network ü { }"), binary):
        assert read_text("from_bif", source) == "network ü { }"
    path.write_bytes("network ü { }".encode("latin-1"))
    assert read_text("from_bif", path) == "network ü { }"


def test_long_files_are_refused(tmp_path):
    path = tmp_path / "long.bif"
    path.write_text("x" * 1000)
    bomb = tmp_path / "bomb.gz"
    bomb.write_bytes(gzip.compress(b"x" * 1_000_000))
    for source in (path, bomb, io.StringIO("x" * 1000)):
        with pytest.raises(ValueError, match="from_bif: file must hold at most 100 bytes"):
            read_text("from_bif", source, max_bytes=100)
    bomb.write_bytes(b"\x1f\x8bnonsense")
    with pytest.raises(ValueError, match="damaged gzip"):
        read_text("from_bif", bomb)


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_text("from_bif", tmp_path / "none.bif")


def test_budget_of_entries():
    budget = EntryBudget("from_bif", limit=10)
    assert budget.spend("a", [2, 3]) == 6
    with pytest.raises(ValueError, match="at most 10 entries in all, got 6 for 'b'"):
        budget.spend("b", [6])


def test_writing(tmp_path):
    assert write_text(None, "text") == "text"
    write_text(tmp_path / "out", "text")
    assert (tmp_path / "out").read_text() == "text"
    stream = io.StringIO()
    write_text(stream, "text")
    assert stream.getvalue() == "text"


def test_edges_of_a_parsed_network():
    parsed = ParsedNetwork({}, {"c": ("a", "b"), "a": ()}, {})
    assert parsed.edges == [("a", "c"), ("b", "c")]


def test_half_a_character_is_no_text():
    with pytest.raises(ValueError, match=r"from_xmlbif: file must hold text, .*ud800.* position 3"):
        read_text("from_xmlbif", io.StringIO("<a>\ud800</a>"))
