"""Check that every module of the package has its mirror test.

``src/margin/a/_b.py`` (or ``a/b.py``) must be tested by ``tests/a/test_b.py``. Run as
``python tools/mirror.py``; exits 1 with the list of what is missing.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXEMPT = {"__init__", "__main__"}


def mirror_of(module: Path) -> Path:
    """Return the test file of a module, both relative to their own trees.

    Examples
    --------
    >>> mirror_of(Path("linear/_ridge.py")).as_posix()
    'linear/test_ridge.py'
    """
    return module.with_name(f"test_{module.stem.lstrip('_')}.py")


def missing(package: Path, tests: Path) -> list[tuple[Path, Path]]:
    """Return every (module, expected test) pair whose test does not exist."""
    modules = sorted(p for p in package.rglob("*.py") if p.stem not in EXEMPT)
    pairs = [(m, tests / mirror_of(m.relative_to(package))) for m in modules]
    return [(module, test) for module, test in pairs if not test.is_file()]


def main(root: Path = ROOT) -> int:
    """Print the modules without a mirror test; return the exit status."""
    absent = missing(root / "src" / "margin", root / "tests")
    for module, test in absent:
        print(f"{module.relative_to(root)}: no {test.relative_to(root)}")
    if absent:
        print(f"{len(absent)} modules have no mirror test")
    return int(bool(absent))


if __name__ == "__main__":
    sys.exit(main())
