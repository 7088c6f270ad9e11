"""Writing the Interchange Format (BIF) of Bayesian networks."""

import re
from itertools import product

from margin.graphical._network import Network

_PLAIN = re.compile(r"[^\s{}()\[\];,|\"/]+")


def write_bif(network: Network) -> str:
    """Text of a discrete network in BIF, with all digits of the numbers."""
    lines = ["network unknown {", "}"]
    states = network.domain.states
    for name, words in states.items():
        listed = ", ".join(_quoted(w) for w in words)
        lines += [
            f"variable {_quoted(name)} {{",
            f"  type discrete [ {len(words)} ] {{ {listed} }};",
            "}",
        ]
    for name in network.domain.names:
        parents = network.parents[name]
        given = f" | {', '.join(_quoted(p) for p in parents)}" if parents else ""
        lines.append(f"probability ( {_quoted(name)}{given} ) {{")
        table = network.table(name).reshape(-1, len(states[name]))
        configurations = product(*([_quoted(s) for s in states[p]] for p in parents))
        for words, row in zip(configurations, table.tolist(), strict=True):
            head = f"({', '.join(words)})" if parents else "table"
            lines.append(f"  {head} {', '.join(map(repr, row))};")
        lines.append("}")
    return "\n".join(lines) + "\n"


def _quoted(word: object) -> str:
    text = str(word)
    if _PLAIN.fullmatch(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
