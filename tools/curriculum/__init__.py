"""The curriculum index: which capability is served where, and which test proves it.

``python -m tools.curriculum`` writes ``docs/curriculum.md`` from ``docs/curriculum.csv`` and from
the ids (``linalg.08``) found in docstrings, tests and examples. With ``--check`` it writes nothing,
prints done and missing per package and exits 1 if the index is wrong or out of date.
"""
