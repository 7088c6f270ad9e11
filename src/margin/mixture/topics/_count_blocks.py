"""Tables of counts that come block by block."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from margin.core import Blocks, check
from margin.mixture.topics._corpus import counts


@dataclass(frozen=True, eq=False)
class CountBlocks:
    """Checked blocks of counts, read anew each time they are asked for.

    Parameters
    ----------
    owner : estimator
        Whose table the blocks make, and whom errors name.
    blocks : Blocks
    """

    owner: Any
    blocks: Blocks

    def __iter__(self) -> Iterator[Any]:
        for number, block in enumerate(self.blocks):
            if len(block) != 1:
                need = "of tables of counts"
                raise check.fail(self.owner, "blocks", need, f"a block of {len(block)} parts")
            table = check.table(self.owner, block[0], sparse=True, reset=number == 0)
            yield counts(self.owner, table, "fit_blocks")
