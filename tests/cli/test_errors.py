from margin.cli._errors import CommandError, StoppedError, near, one_line, quoted


def test_exit_codes():
    assert CommandError("x").code == 2
    assert StoppedError("x").code == 130


def test_messages_fit_on_one_line():
    assert one_line(ValueError("a\n\n  b\tc")) == "a b c"
    assert one_line(KeyError()) == "KeyError"


def test_hints():
    assert near("specis", ["species", "width"]) == "; did you mean 'species'?"
    assert near("xyz", ["species"]) == ""
    assert near("nothere.csv", ["ragged.csv"], 0.75) == ""


def test_lists_of_names():
    assert quoted([]) == ""
    assert quoted("abc", 3) == "'a', 'b', 'c'"
    assert quoted("abcdef", 2) == "'a', 'b' and 4 more"
