"""Universal binary JSON: what is written by hand is read, what is damaged is refused."""

import struct
from contextlib import suppress

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.ensemble.formats._ubjson import parse_ubjson


def written(value):
    """A value in the way XGBoost writes it: long lengths, arrays of numbers of one type."""
    match value:
        case None | True | False:
            return {None: b"Z", True: b"T", False: b"F"}[value]
        case int():
            return b"L" + struct.pack(">q", value)
        case float():
            return b"D" + struct.pack(">d", value)
        case str():
            return b"S" + length(value) + value.encode()
        case np.ndarray():
            mark = {"f4": b"d", "f8": b"D", "i4": b"l", "i8": b"L", "u1": b"U"}[value.dtype.str[1:]]
            big = value.astype(value.dtype.newbyteorder(">")).tobytes()
            return b"[$" + mark + b"#" + length(value) + big
        case list():
            return b"[#" + length(value) + b"".join(map(written, value))
        case dict():
            members = (length(k) + k.encode() + written(v) for k, v in value.items())
            return b"{" + b"".join(members) + b"}"


def length(value):
    size = len(value.encode() if isinstance(value, str) else value)
    return b"L" + struct.pack(">q", size)


DOCUMENT = {
    "name": "µ",
    "numbers": np.array([1.5, -2.0], dtype=np.float32),
    "places": np.array([-1, 7], dtype=np.int32),
    "none": {},
    "list": [1, 2.5, "a", None, True, [], {"deep": [False]}],
}


def test_what_is_written_is_read():
    document = parse_ubjson(written(DOCUMENT))
    assert document.keys() == DOCUMENT.keys()
    for name in ("numbers", "places"):
        assert_array_equal(document[name], DOCUMENT[name])
        assert document[name].dtype == DOCUMENT[name].dtype
    for name in ("name", "none", "list"):
        assert document[name] == DOCUMENT[name]


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"i\xff", -1),
        (b"U\xff", 255),
        (b"I\x01\x00", 256),
        (b"Cx", "x"),
        (b"NNT", True),
        (b"[i\x01Ni\x02]", [1, 2]),
        (b"[]", []),
        (b"[$T#i\x02", [True, True]),
        (b"{#i\x01i\x01aZ", {"a": None}),
        (b"{$i#i\x02i\x01a\x01i\x01b\x02", {"a": 1, "b": 2}),
        (b"[$S#i\x02i\x01ai\x01b", ["a", "b"]),
    ],
)
def test_every_form_of_the_format(data, value):
    assert parse_ubjson(data) == value


def test_no_beginning_of_a_file_is_a_file():
    data = written(DOCUMENT)
    for end in range(len(data)):
        with pytest.raises(ValueError, match="UBJSON"):
            parse_ubjson(data[:end])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"Tx", "1 bytes follow"),
        (b"x", "unknown mark"),
        (b"[" * 100_000, "levels deep"),
        (b"[$T#L" + struct.pack(">q", 2**62), "do not fit"),
        (b"[$D#L" + struct.pack(">q", 2**62), "do not fit"),
        (b"[#L" + struct.pack(">q", -1), "do not fit"),
        (b"SL" + struct.pack(">q", -1), "ends early"),
        (b"Sd\x00\x00\x00\x00", "must be an integer"),
        (b"SU\x01\xff", "not UTF-8"),
        (b"[$i]", "followed by a number"),
    ],
)
def test_hostile_files(data, words):
    with pytest.raises(ValueError, match=words):
        parse_ubjson(data)


def test_changed_bytes_never_break_anything_else():
    rng = np.random.default_rng(0)
    data = written(DOCUMENT)
    for _ in range(2000):
        changed = bytearray(data)
        changed[rng.integers(len(data))] = rng.integers(256)
        with suppress(ValueError):
            parse_ubjson(bytes(changed))
