"""A second implementation of `recalc`: operator precedence by stacks, cycles by transitive closure."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random
from typing import Any

_PIECE = re.compile(
    r"(SUM|MAX|COUNT) *\( *([A-Z][1-9]\d*) *: *([A-Z][1-9]\d*) *\)|([A-Z][1-9]\d*)|(\d+)|([-+*/()])| +"
)


def _postfix(text: str) -> list[Any] | None:
    """Return the formula in postfix order, or None when it is malformed."""
    output: list[Any] = []
    waiting: list[str] = []
    rank = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3}
    operand_next, at, last = True, 0, ""
    while at < len(text):
        found = _PIECE.match(text, at)
        if not found:
            return None
        at = found.end()
        function, first, second, cell, number, sign = found.groups()
        if function or cell or number:
            if not operand_next or last == "operand":
                return None
            output.append(
                ("range", function, first, second) if function else ("cell", cell) if cell else int(number)
            )
            operand_next = False
        elif sign == "(":
            if not operand_next:
                return None
            waiting.append("(")
        elif sign == ")":
            if operand_next:
                return None
            while waiting and waiting[-1] != "(":
                output.append(waiting.pop())
            if not waiting:
                return None
            waiting.pop()
        elif sign:
            if operand_next and sign != "-":
                return None
            if operand_next:
                waiting.append("neg")
            else:
                while waiting and waiting[-1] != "(" and rank[waiting[-1]] >= rank[sign]:
                    output.append(waiting.pop())
                waiting.append(sign)
                operand_next = True
    if operand_next or "(" in waiting:
        return None
    return output + waiting[::-1]


def _block(first: str, second: str) -> list[str]:
    columns = sorted(first[0] + second[0])
    rows = sorted([int(first[1:]), int(second[1:])])
    return [
        f"{chr(c)}{r}"
        for r in range(rows[0], rows[1] + 1)
        for c in range(ord(columns[0]), ord(columns[1]) + 1)
    ]


def recalc(cells: dict[str, str]) -> dict[str, int | str]:
    """Compute the sheet by repeated passes over postfix formulas."""
    formulas = {name: _postfix(text[1:]) for name, text in cells.items() if text[:1] == "="}
    state: dict[str, tuple[str, Any]] = {}
    for name, text in cells.items():
        if text[:1] != "=":
            state[name] = ("number", int(text)) if re.fullmatch(r"[+-]?\d+", text) else ("text", text)
        elif formulas[name] is None:
            state[name] = ("error", "#ERR")
    links = {
        name: {
            cell
            for piece in formula
            if isinstance(piece, tuple)
            for cell in (_block(*piece[2:]) if piece[0] == "range" else [piece[1]])
            if formulas.get(cell) is not None
        }
        for name, formula in formulas.items()
        if formula is not None
    }
    reach = {name: set(there) for name, there in links.items()}
    for middle in reach:
        for name in reach:
            if middle in reach[name]:
                reach[name] |= reach[middle]
    for name in reach:
        if name in reach[name]:
            state[name] = ("error", "#CYCLE")

    def combine(sign: str, left: tuple[str, Any], right: tuple[str, Any]) -> tuple[str, Any]:
        for side in (left, right):
            if side[0] == "error":
                return side
        a, b = left[1], right[1]
        if sign == "/":
            return ("number", int(Fraction(a, b))) if b else ("error", "#DIV")
        return "number", a + b if sign == "+" else a - b if sign == "-" else a * b

    def compute(formula: list[Any]) -> tuple[str, Any]:
        stack: list[tuple[str, Any]] = []
        for piece in formula:
            if isinstance(piece, int):
                stack.append(("number", piece))
            elif piece == "neg":
                kind, value = stack.pop()
                stack.append((kind, value if kind == "error" else -value))
            elif isinstance(piece, str):
                right, left = stack.pop(), stack.pop()
                stack.append(combine(piece, left, right))
            elif piece[0] == "cell":
                kind, value = state.get(piece[1], ("text", ""))
                stack.append(
                    (kind, value) if kind != "text" else ("error", "#VALUE") if value else ("number", 0)
                )
            else:
                found = [state[cell] for cell in _block(*piece[2:]) if cell in state]
                wrong = [entry for entry in found if entry[0] == "error"]
                numbers = [value for kind, value in found if kind == "number"]
                total = {"SUM": sum(numbers), "MAX": max([*numbers] or [0]), "COUNT": len(numbers)}[piece[1]]
                stack.append(wrong[0] if wrong else ("number", total))
        return stack[0]

    while len(state) < len(cells):
        for name, formula in formulas.items():
            if name not in state and formula is not None and links[name] <= set(state):
                state[name] = compute(formula)
    return {name: state[name][1] for name in cells}


def random_input(rng: Random) -> tuple[Any, ...]:
    """Return a random small sheet with formulas, texts and faults."""

    def formula(depth: int) -> str:
        roll = rng.random()
        if depth == 0 or roll < 0.3:
            return rng.choice(["0", "2", "7", "A1", "A2", "B1", "B2", "C3"])
        if roll < 0.42:
            corners = rng.sample(["A1", "A2", "B1", "B2", "C1"], 2)
            return f"{rng.choice(['SUM', 'MAX', 'COUNT'])}({corners[0]}:{corners[1]})"
        if roll < 0.5:
            return f"-{formula(depth - 1)}"
        if roll < 0.6:
            return f"({formula(depth - 1)})"
        return f"{formula(depth - 1)}{rng.choice(['+', '-', '*', '/', ' - ', ' / '])}{formula(depth - 1)}"

    cells = {}
    for name in ("A1", "A2", "B1", "B2", "C1", "C2"):
        roll = rng.random()
        if roll < 0.15:
            continue
        if roll < 0.45:
            cells[name] = rng.choice(["3", "-4", "+05", "0", "", "text", "#DIV"])
        else:
            cells[name] = "=" + formula(3) + (rng.choice(["", "", "", "", "", "+", ")", " 1"]))
    return (cells,)


def holds(arguments: tuple[Any, ...], result: dict[str, int | str]) -> bool:
    """The result has the keys of the sheet."""
    return bool(result.keys() == arguments[0].keys())
