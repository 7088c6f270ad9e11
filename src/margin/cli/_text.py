"""What a text file looks like inside: encoding, delimiter, header, decimal sign."""

from __future__ import annotations

import codecs
import csv
import re
from collections import Counter
from itertools import islice

from margin.cli._errors import CommandError, quoted

DELIMITERS = (",", ";", "\t", "|")
_SAMPLE = 50
_HEAD = 200_000
_FOREIGN = {
    b"PK\x03\x04": "a zip archive or an Excel workbook; save the sheet as CSV",
    b"\x1f\x8b": "compressed; unpack it first",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook; save the sheet as CSV",
    b"\x80\x04": "a pickle; save the table as CSV or Parquet",
    b"\x80\x05": "a pickle; save the table as CSV or Parquet",
    b"%PDF": "a PDF document, not a table",
    b"SQLite format 3": "a database; export the table as CSV",
}
_DECIMAL_COMMA = re.compile(r"^[+-]?\d+,\d+$")


def decoded(content: bytes, name: str) -> str:
    r"""The text of a UTF-8 file, with or without a byte-order mark.

    Examples
    --------
    >>> decoded(b"\xef\xbb\xbfa,b", "x.csv")
    'a,b'
    >>> decoded(b"name\ncaf\xe9\n", "x.csv")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    margin.cli._errors.CommandError: x.csv is not UTF-8 text: byte 0xe9 at position 8 (line 2)...
    """
    for start, what in _FOREIGN.items():
        if content.startswith(start):
            raise CommandError(f"{name} is {what}")
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise CommandError(
            f"{name} is UTF-16 text, UTF-8 is needed; convert it: iconv -f UTF-16 -t UTF-8"
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # the codec counts from behind the byte-order mark
        place = error.start + 3 * content.startswith(codecs.BOM_UTF8)
        line = content.count(b"\n", 0, place) + 1
        raise CommandError(
            f"{name} is not UTF-8 text: byte {content[place]:#04x} at position {place} "
            f"(line {line}); if it is Windows-1252 or Latin-1, convert it: "
            "iconv -f WINDOWS-1252 -t UTF-8"
        ) from None
    if "\0" in text:
        raise CommandError(f"{name} is a binary file (zero byte at position {text.index(chr(0))})")
    return text


def delimiter(text: str) -> str:
    r"""The character that splits the first lines into the same number of fields, most of them.

    Examples
    --------
    >>> delimiter("a;b;c\n1,5;2;3\n2,5;2;3\n")
    ';'
    >>> delimiter("single\n1\n2\n")
    ','
    """
    best, best_score = ",", (0.0, 0)
    for sign in DELIMITERS:
        widths = Counter(len(row) for row in rows(text, sign))
        width, times = widths.most_common(1)[0] if widths else (1, 0)
        score = (times / max(widths.total(), 1), width)
        if width > 1 and score > best_score:
            best, best_score = sign, score
    return best


def rows(text: str, sign: str, most: int = _SAMPLE) -> list[list[str]]:
    """The first non-empty rows as lists of fields."""
    # whole lines, enough for the sample, without splitting a large file into all of them
    header = text.find("\n")
    end = text.find("\n", max(_HEAD, header + 1))
    head = text if end < 0 else text[: end + 1]
    # a line of a very wide table is one field to all delimiters but one
    usual = csv.field_size_limit(len(head) + 1)
    try:
        reader = csv.reader(head.splitlines(keepends=True), delimiter=sign)
        return list(islice((row for row in reader if row), most))
    except csv.Error as error:
        raise CommandError(f"not a readable table: {error}") from error
    finally:
        csv.field_size_limit(usual)


def check_header(text: str, sign: str, name: str) -> None:
    """Refuse a first line that cannot be column names: repeated names, or numbers only."""
    first = rows(text, sign, 1)
    names = [field.strip() for field in first[0]] if first else []
    repeated = [field for field, times in Counter(names).items() if times > 1 and field]
    if repeated:
        raise CommandError(f"{name}: column names must be different, repeated: {quoted(repeated)}")
    if names and all(_number(field) for field in names):
        raise CommandError(
            f"{name}: the first line must hold column names, got only numbers ({quoted(names, 3)})"
        )


def decimal_comma(text: str, sign: str) -> bool:
    r"""Whether numbers are written with a decimal comma (possible unless it separates fields).

    Examples
    --------
    >>> decimal_comma("a;b\n1,5;x\n", ";"), decimal_comma("a;b\n1.5;x, y\n", ";")
    (True, False)
    """
    if sign == ",":
        return False
    fields = [field.strip() for row in rows(text, sign)[1:] for field in row]
    return any(_DECIMAL_COMMA.match(field) for field in fields) and not any(
        re.match(r"^[+-]?\d+\.\d+$", field) for field in fields
    )


def _number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
