"""A line for every pass, for who asks for it."""

import sys

from margin.mixture.topics._variational_topics import Tell


def silent(n: int, value: float | None) -> None:
    """Nobody asked."""


def teller(total: int) -> Tell:
    """Print a line after every pass."""

    def tell(n: int, value: float | None) -> None:
        measured = "" if value is None else f", perplexity: {value:.4f}"
        sys.stdout.write(f"iteration: {n} of max_iter: {total}{measured}\n")

    return tell
