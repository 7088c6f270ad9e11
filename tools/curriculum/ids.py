"""Finding curriculum ids in text."""

import re
from collections.abc import Collection, Iterator

_JOIN = r"\s*(?:–|-|\.\.\.?|\bto\b)\s*"
_LIST = r"\s*(?:,|/|&|\band\b|,\s*and\b)\s*"


class IdPattern:
    """Recognises ids of the given packages, alone, in lists and in ranges.

    Parameters
    ----------
    packages : collection of str
        Package names that may stand before the dot.

    Examples
    --------
    >>> find = IdPattern(["linalg", "optim"])
    >>> sorted(find("serves linalg.08, .09 and optim.01"))
    ['linalg.08', 'linalg.09', 'optim.01']
    >>> sorted(find("linalg.02-linalg.04, 3.08, linalg.105"))
    ['linalg.02', 'linalg.03', 'linalg.04']
    """

    def __init__(self, packages: Collection[str]) -> None:
        names = "|".join(sorted(packages))
        # A bare number ends a range only when glued to the dash: "linalg.08 - 12 rows" is prose.
        self._range = re.compile(rf"(?:{_JOIN}({names})?\.|[–-])(\d\d)\b")
        self._list = re.compile(rf"{_LIST}\.(\d\d)\b")
        self._id = re.compile(rf"\b({names})\.(\d\d)\b")

    def __call__(self, text: str) -> set[str]:
        """Return every id that ``text`` names."""
        return set(self._iterate(text))

    def _iterate(self, text: str) -> Iterator[str]:
        for match in self._id.finditer(text):
            package, last = match[1], int(match[2])
            yield f"{package}.{last:02d}"
            end = match.end()
            while True:
                if (span := self._range.match(text, end)) and span[1] in (None, package):
                    stop = int(span[2])
                    yield from (f"{package}.{k:02d}" for k in range(last + 1, stop + 1))
                elif span := self._list.match(text, end):
                    stop = int(span[1])
                    yield f"{package}.{stop:02d}"
                else:
                    break
                end, last = span.end(), stop
