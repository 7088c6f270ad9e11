"""Speed, memory and answers of margin against its peers, measured in one run.

``python -m benchmarks`` runs every case of :mod:`benchmarks.cases`, writes
``benchmarks/results.json`` and regenerates ``docs/benchmarks.md`` from it.
Nothing here is imported by the package.
"""
