"""Bayesian networks in the BIF format, as exact models."""

from __future__ import annotations

import re
from fractions import Fraction

from assay.causal.scm import Scm, Variable

_VARIABLE = re.compile(r"variable (\S+) \{\s*type discrete \[ \d+ \] \{ ([^}]*) \};")
_TABLE = re.compile(r"probability \( ([^|)]+?)(?: \| ([^)]+?))? \) \{(.*?)\n\}", re.S)
_ROW = re.compile(r"\(([^)]*)\)\s+([^;]*);")


def read_bif(text: str) -> Scm:
    """Return the network's model; rows are divided by their sum, which printing has moved off 1."""
    states = {name: [s.strip() for s in found.split(",")] for name, found in _VARIABLE.findall(text)}
    variables: dict[str, Variable] = {}
    for name, given, body in _TABLE.findall(text):
        parents = tuple(each.strip() for each in given.split(",")) if given else ()
        table = {}
        if not parents:
            table[()] = _row(body.partition("table")[2].partition(";")[0])
        for levels, row in _ROW.findall(body):
            key = tuple(
                states[parent].index(level.strip())
                for parent, level in zip(parents, levels.split(","), strict=True)
            )
            table[key] = _row(row)
        variables[name] = Variable(name, parents, table)
    ordered: dict[str, Variable] = {}
    while len(ordered) < len(variables):
        ordered |= {
            name: variable
            for name, variable in variables.items()
            if name not in ordered and all(parent in ordered for parent in variable.parents)
        }
    return Scm(tuple(ordered.values()))


def _row(text: str) -> tuple[Fraction, ...]:
    numbers = [Fraction(number.strip()) for number in text.split(",")]
    return tuple(number / sum(numbers) for number in numbers)
