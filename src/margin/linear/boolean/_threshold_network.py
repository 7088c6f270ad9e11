"""Boolean functions as networks of two layers of threshold units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from margin.core.types import Bools, Floats
from margin.linear.boolean._formula import MOST_INPUTS, all_inputs, truth_table
from margin.linear.boolean._terms import Term, minterms, simplified


@dataclass(frozen=True)
class BooleanPerceptron:
    r"""A boolean function compiled into two layers of perceptrons, without training.

    Every boolean function is a sum of products (disjunctive normal form) and a product of sums
    (conjunctive). A product of literals is one unit :math:`[w^\top x + w_0 > 0]` with weight
    :math:`+1` for a plain and :math:`-1` for a negated variable and the bias
    :math:`\tfrac12 - \#\text{plain}`; a sum is the same with the bias
    :math:`\#\text{negated} - \tfrac12`. The second layer is the sum, or product, of the first.
    No single unit represents XOR; two hidden ones do (neural.19, datasets.17).

    Parameters
    ----------
    names : tuple of str
        Variables, in the order of the columns.
    terms : tuple of tuple of {-1, 0, +1}
        Literals of every hidden unit: negated, absent, plain.
    form : {"dnf", "cnf"}
        Products under a sum, or sums under a product.

    Notes
    -----
    Parity of :math:`n` variables takes :math:`2^{n-1}` hidden units in either form.

    Examples
    --------
    >>> xor = BooleanPerceptron.from_formula("x1 ^ x2")
    >>> xor.predict([[0, 0], [0, 1], [1, 0], [1, 1]]).astype(int), xor.n_hidden
    (array([0, 1, 1, 0]), 2)
    >>> print(xor)
    (x1 & ~x2) | (~x1 & x2)
    >>> print(BooleanPerceptron.from_formula("x1 ^ x2", form="cnf"))
    (x1 | x2) & (~x1 | ~x2)
    """

    names: tuple[str, ...]
    terms: tuple[Term, ...]
    form: Literal["dnf", "cnf"] = "dnf"

    @classmethod
    def from_formula(
        cls,
        formula: str,
        *,
        form: Literal["dnf", "cnf"] = "dnf",
        simplify: bool = True,
        names: Sequence[str] | None = None,
    ) -> BooleanPerceptron:
        """Compile a formula such as ``"a & ~b | c"``.

        Parameters
        ----------
        formula : str
            Variables with ``and``, ``or``, ``not``, ``&``, ``|``, ``^``, ``~`` and parentheses.
        form : {"dnf", "cnf"}, default="dnf"
            Normal form of the network.
        simplify : bool, default=True
            Join terms; otherwise one hidden unit per row of the truth table that is true (false,
            for the conjunctive form).
        names : sequence of str, optional
            Order of the variables; sorted by default.
        """
        order, inputs, outputs = truth_table(formula, names)
        return cls._compiled(order, inputs, outputs, form, simplify)

    @classmethod
    def from_table(
        cls,
        inputs: Any,
        outputs: Any,
        *,
        form: Literal["dnf", "cnf"] = "dnf",
        simplify: bool = True,
        names: Sequence[str] | None = None,
    ) -> BooleanPerceptron:
        """Compile a complete truth table.

        Parameters
        ----------
        inputs : array-like of shape (2 ** n, n)
            Every row of zeros and ones once, in any order.
        outputs : array-like of shape (2 ** n,)
            Zeros and ones.
        form, simplify
            As in :meth:`from_formula`.
        names : sequence of str, optional
            Names of the columns; ``x1``, ``x2`` … by default.
        """
        rows, values = _truth(inputs, "inputs"), _truth(outputs, "outputs")
        n = rows.shape[1] if rows.ndim == 2 else 0
        if not 1 <= n <= MOST_INPUTS or len(rows) != 2**n or len(np.unique(rows, axis=0)) != 2**n:
            raise ValueError(
                "BooleanPerceptron: inputs must be every row of zeros and ones once, "
                f"got shape {rows.shape}"
            )
        if values.shape != (2**n,):
            raise ValueError(
                f"BooleanPerceptron: outputs must be {2**n} values, got shape {values.shape}"
            )
        order = tuple(f"x{k + 1}" for k in range(n)) if names is None else tuple(names)
        if len(order) != n:
            raise ValueError(f"BooleanPerceptron: names must be {n} names, got {order}")
        return cls._compiled(order, rows, values, form, simplify)

    @classmethod
    def _compiled(
        cls,
        names: tuple[str, ...],
        inputs: Bools,
        outputs: Bools,
        form: Literal["dnf", "cnf"],
        simplify: bool,
    ) -> BooleanPerceptron:
        if form not in ("dnf", "cnf"):
            raise ValueError(f"BooleanPerceptron: form must be one of 'dnf', 'cnf', got {form!r}")
        # A product of sums is the negation of the sum of products of what is false.
        terms = minterms(inputs[outputs] if form == "dnf" else inputs[~outputs])
        terms = simplified(terms) if simplify else terms
        if form == "cnf":
            terms = [tuple(-literal for literal in term) for term in terms]
        return cls(names, tuple(sorted(terms, reverse=True)), form)

    @property
    def n_hidden(self) -> int:
        """Units of the first layer."""
        return len(self.terms)

    @property
    def hidden_layer(self) -> tuple[Floats, Floats]:
        """Weights, of shape (n_hidden, n_inputs), and biases of the first layer."""
        weight = np.array(self.terms, dtype=np.float64).reshape(self.n_hidden, len(self.names))
        if self.form == "dnf":
            return weight, 0.5 - (weight > 0).sum(axis=1)
        return weight, (weight < 0).sum(axis=1) - 0.5

    @property
    def output_layer(self) -> tuple[Floats, float]:
        """Weights, of shape (n_hidden,), and bias of the last unit."""
        bias = -0.5 if self.form == "dnf" else 0.5 - self.n_hidden
        return np.ones(self.n_hidden), bias

    def hidden(self, X: Any) -> Bools:
        """Which hidden units fire, of shape (n_samples, n_hidden)."""
        rows = _truth(X, "X")
        if rows.ndim != 2 or rows.shape[1] != len(self.names):
            raise ValueError(
                f"BooleanPerceptron: X must be rows of {len(self.names)} values, "
                f"got shape {rows.shape}"
            )
        weight, bias = self.hidden_layer
        return np.asarray(rows @ weight.T + bias > 0)

    def predict(self, X: Any) -> Bools:
        """Value of the function for rows of zeros and ones."""
        weight, bias = self.output_layer
        return np.asarray(self.hidden(X) @ weight + bias > 0)

    def truth_table(self) -> tuple[Bools, Bools]:
        """All inputs, counting up, and the output of the network for each."""
        inputs = all_inputs(len(self.names))
        return inputs, self.predict(inputs)

    def __str__(self) -> str:
        inner, outer = (" & ", " | ") if self.form == "dnf" else (" | ", " & ")
        parts = [self._term(term, inner) for term in self.terms]
        return outer.join(parts) or str(self.form == "cnf")

    def _term(self, term: Term, joint: str) -> str:
        signed = zip(self.names, term, strict=True)
        literals = [name if sign > 0 else f"~{name}" for name, sign in signed if sign]
        if not literals:
            return str(self.form == "dnf")
        return f"({joint.join(literals)})" if len(literals) > 1 else literals[0]


def _truth(values: Any, name: str) -> Bools:
    """Zeros and ones as booleans."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf" or not np.isin(array, (0, 1)).all():
        raise ValueError(f"BooleanPerceptron: {name} must be zeros and ones, got {values!r}")
    return array.astype(np.bool_)
