"""Second implementations of the code cases, by other methods, with random inputs and properties."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from datetime import datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any

# --- expand: whole tokens by one regular expression, then a recursive tree ---------------------------

_TAG = re.compile(r"\{\{|\}\}|\{([?!/]?)([A-Za-z0-9_]+)(\|[^{}]*)?\}|[^{}]+", re.ASCII)


def expand(template: str, values: dict[str, object]) -> str:
    """Expand by matching whole tokens and building a tree."""
    tokens, at = [], 0
    while at < len(template):
        found = _TAG.match(template, at)
        if not found or (found[1] and found[3] is not None):
            raise ValueError(template)
        tokens.append(found)
        at = found.end()

    def tree(position: int, name: str | None) -> tuple[list[Any], int]:
        nodes: list[Any] = []
        while position < len(tokens):
            found = tokens[position]
            position += 1
            if found[2] is None:
                nodes.append(found[0][:1] if found[0] in ("{{", "}}") else found[0])
            elif found[1] == "/":
                if found[2] != name:
                    raise ValueError(template)
                return nodes, position
            elif found[1]:
                inside, position = tree(position, found[2])
                nodes.append((found[1], found[2], inside))
            else:
                nodes.append(found)
        if name is not None:
            raise ValueError(template)
        return nodes, position

    def render(nodes: list[Any]) -> str:
        text = ""
        for node in nodes:
            if isinstance(node, str):
                text += node
            elif isinstance(node, tuple):
                if (not values.get(node[1])) == (node[0] == "!"):
                    text += render(node[2])
            elif values.get(node[2]) is not None:
                text += str(values[node[2]])
            elif node[3] is not None:
                text += node[3][1:]
            else:
                raise KeyError(node[2])
        return text

    return render(tree(0, None)[0])


def expand_input(rng: Random) -> tuple[Any, ...]:
    """Return a random template, often malformed, with random values."""
    pieces = ["{a}", "{b}", "{a|x}", "{c||}", "{?a}", "{/a}", "{!b}", "{/b}", "{{", "}}", "{", "}", "t", " "]
    weights = [4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 1, 1, 4, 2]
    opened: list[str] = []
    parts = []
    for piece in rng.choices(pieces, weights, k=rng.randint(0, 9)):
        if piece[:2] == "{/" and opened and rng.random() < 0.9:
            piece = opened.pop()
        elif piece[:2] in ("{?", "{!"):
            opened.append("{/" + piece[2:])
        parts.append(piece)
    if rng.random() < 0.8:
        parts += reversed(opened)
    chosen = {name: rng.choice([None, 0, "", "{b}", 7, "w"]) for name in "abc" if rng.random() < 0.8}
    return "".join(parts), chosen


# --- book: single units and a stack of single sales -------------------------------------------------


def book(events: list[tuple[Any, ...]]) -> dict[str, Any]:
    """Keep the ledger unit by unit, as the specification forbids for its speed."""
    units: list[tuple[int, int]] = []
    sales: list[tuple[tuple[int, int], int]] = []
    lost: list[int] = []
    rejected = []
    for number, event in enumerate(events):
        kind, quantity, price = (*event, 0)[:3]
        limit = {"buy": quantity, "sell": len(units), "return": len(sales), "count": len(units)}[kind]
        if quantity > limit or quantity < (kind != "count") or price < 0:
            rejected.append(number)
        elif kind == "buy":
            units += [(number, price)] * quantity
        elif kind == "sell":
            sales += [(unit, price) for unit in units[:quantity]]
            del units[:quantity]
        elif kind == "return":
            for _ in range(quantity):
                units.append(sales.pop()[0])
            units.sort(key=lambda unit: unit[0])
        else:
            lost += [cost for _, cost in units[quantity:]]
            del units[quantity:]
    lots = sorted({unit[0] for unit in units})
    counted = [[unit[1] for unit in units if unit[0] == lot] for lot in lots]
    return {
        "stock": [(len(costs), costs[0]) for costs in counted],
        "revenue": sum(price for _, price in sales),
        "cogs": sum(unit[1] for unit, _ in sales),
        "lost": sum(lost),
        "rejected": rejected,
    }


def book_input(rng: Random) -> tuple[Any, ...]:
    """Return a random small ledger."""
    events: list[tuple[Any, ...]] = []
    for _ in range(rng.randint(0, 12)):
        kind = rng.choice(["buy", "buy", "sell", "sell", "return", "count"])
        quantity = rng.randint(-1, 9) if kind != "count" else rng.randint(0, 14)
        events.append(
            (kind, quantity) if kind in ("return", "count") else (kind, quantity, rng.randint(-1, 6))
        )
    return (events,)


def book_property(arguments: tuple[Any, ...], result: dict[str, Any]) -> bool:
    """What was bought is in stock, sold or lost: the costs must balance."""
    accepted = [event for i, event in enumerate(arguments[0]) if i not in result["rejected"]]
    bought = sum(event[1] * event[2] for event in accepted if event[0] == "buy")
    held = sum(quantity * cost for quantity, cost in result["stock"])
    return bool(bought == held + result["cogs"] + result["lost"]) and all(q > 0 for q, _ in result["stock"])


# --- standings: results listed per team and question ------------------------------------------------


def standings(
    matches: list[tuple[Any, ...]], deductions: dict[str, int] | None = None
) -> list[tuple[Any, ...]]:
    """Rank by comparing every team with every other."""
    for home, away, *goals in matches:
        if home == away or goals.count(None) == 1 or any(g is not None and g < 0 for g in goals):
            raise ValueError((home, away, goals))
    teams = {team for match in matches for team in match[:2]}

    def results(team: str, rivals: set[str]) -> list[tuple[int, int]]:
        at_home = [(hg, ag) for h, a, hg, ag in matches if h == team and a in rivals and hg is not None]
        return at_home + [
            (ag, hg) for h, a, hg, ag in matches if a == team and h in rivals and hg is not None
        ]

    def points(games: list[tuple[int, int]]) -> int:
        return 3 * sum(f > a for f, a in games) + sum(f == a for f, a in games)

    def difference(games: list[tuple[int, int]]) -> int:
        return sum(f for f, _ in games) - sum(a for _, a in games)

    net = {team: points(results(team, teams)) - (deductions or {}).get(team, 0) for team in teams}
    merit = {}
    for team in teams:
        all_games = results(team, teams)
        among = results(team, {rival for rival in teams if net[rival] == net[team]})
        merit[team] = (
            net[team],
            points(among),
            difference(among),
            difference(all_games),
            sum(f for f, _ in all_games),
        )
    rows = [
        (1 + sum(merit[rival] > merit[team] for rival in teams), team, net[team], *merit[team][3:])
        for team in teams
    ]
    return sorted(rows)


def standings_input(rng: Random) -> tuple[Any, ...]:
    """Return a random small league with few goals, so that ties are common."""
    teams = ["A", "B", "C", "D", "e"][: rng.randint(2, 5)]
    matches: list[tuple[Any, ...]] = []
    for _ in range(rng.randint(0, 9)):
        home, away = rng.sample(teams, 2)
        if rng.random() < 0.02:
            away = home
        played = rng.random() < 0.9
        goals = (rng.randint(0, 2), rng.randint(0, 2)) if played else (None, None)
        if rng.random() < 0.02:
            goals = (goals[0], None)
        matches.append((home, away, *goals))
    return matches, rng.choice([None, {}, {"A": 1, "B": 3}, {"C": 2, "nobody": 5}])


def standings_property(arguments: tuple[Any, ...], result: list[tuple[Any, ...]]) -> bool:
    """Goal differences cancel, points add up, and ranks count places."""
    matches, deductions = arguments
    played = [match for match in matches if match[2] is not None]
    given = sum(2 if hg == ag else 3 for _, _, hg, ag in played)
    taken = sum(p for team, p in (deductions or {}).items() if team in {row[1] for row in result})
    ranks = [row[0] for row in result]
    return (
        sum(row[3] for row in result) == 0
        and sum(row[2] for row in result) == given - taken
        and all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
    )


# --- retain: count how many later days, weeks and months there are -----------------------------------


def _moment(stamp: str) -> datetime:
    text = stamp.removesuffix("!")
    moment = datetime.strptime(text, "%Y-%m-%dT%H:%M")  # naive on purpose: stamps carry no zone
    if moment.isoformat(timespec="minutes") != text:
        raise ValueError(stamp)
    return moment


def retain(stamps: list[str], daily: int, weekly: int, monthly: int) -> list[str]:
    """Keep a backup when few enough later days, weeks or months have one."""
    if daily < 0 or weekly < 0 or monthly < 0:
        raise ValueError((daily, weekly, monthly))
    times = {stamp: _moment(stamp) for stamp in stamps}
    free = [stamp for stamp in times if not stamp.endswith("!")]

    def monday(moment: datetime) -> datetime:
        return datetime(moment.year, moment.month, moment.day) - timedelta(moment.weekday())

    def kept(stamp: str) -> bool:
        mine = times[stamp]
        others = [times[other] for other in free]
        if mine == max(others):
            return True
        days = {other.date() for other in others if other.date() > mine.date()}
        weeks = {monday(other) for other in others if monday(other) > monday(mine)}
        months = {
            other.strftime("%Y%m") for other in others if other.strftime("%Y%m") > mine.strftime("%Y%m")
        }
        last_of_day = not any(o > mine and o.date() == mine.date() for o in others)
        last_of_week = not any(o > mine and monday(o) == monday(mine) for o in others)
        first_of_month = not any(o < mine and (o.year, o.month) == (mine.year, mine.month) for o in others)
        return (
            (last_of_day and len(days) < daily)
            or (last_of_week and len(weeks) < weekly)
            or (first_of_month and len(months) < monthly)
        )

    chosen = [stamp for stamp in times if stamp.endswith("!") or kept(stamp)]
    return sorted(chosen, key=lambda stamp: (times[stamp], stamp.endswith("!")))


def retain_input(rng: Random) -> tuple[Any, ...]:
    """Return random stamps around a new year, some pinned, seldom a malformed one."""
    start = datetime(rng.choice([2020, 2024, 2025, 2026]), 12, 1)
    stamps = []
    for _ in range(rng.randint(0, 14)):
        moment = start + timedelta(hours=rng.randint(0, 24 * rng.choice([3, 20, 70])))
        stamps.append(moment.isoformat(timespec="minutes") + ("!" if rng.random() < 0.15 else ""))
    if rng.random() < 0.05:
        stamps.append(rng.choice(["2026-1-05T10:00", "2026-02-29T10:00", "x", "2026-01-05T10:00!!"]))
    return stamps, rng.randint(0, 4), rng.randint(0, 4), rng.randint(0, 3)


def retain_property(arguments: tuple[Any, ...], result: list[str]) -> bool:
    """The result is a sorted subset with the newest and every pinned backup."""
    stamps = arguments[0]
    free = [stamp for stamp in stamps if not stamp.endswith("!")]
    return (
        result == sorted(set(result))
        and set(result) <= set(stamps)
        and {stamp for stamp in stamps if stamp.endswith("!")} <= set(result)
        and (not free or max(free) in result)
    )


# --- recalc: operator precedence by stacks, cycles by transitive closure ------------------------------

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


def recalc_input(rng: Random) -> tuple[Any, ...]:
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


SECOND: dict[str, Callable[..., Any]] = {
    "expand": expand,
    "book": book,
    "standings": standings,
    "retain": retain,
    "recalc": recalc,
}
INPUTS: dict[str, Callable[[Random], tuple[Any, ...]]] = {
    "expand": expand_input,
    "book": book_input,
    "standings": standings_input,
    "retain": retain_input,
    "recalc": recalc_input,
}
PROPERTIES: dict[str, Callable[[tuple[Any, ...], Any], bool]] = {
    "book": book_property,
    "standings": standings_property,
    "retain": retain_property,
    "recalc": lambda arguments, result: result.keys() == arguments[0].keys(),
}
TOO_SLOW = {"book": ("test_large_quantities",)}


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Return what a function gives or raises, and whether it left its arguments alone."""
    passed = deepcopy(arguments)
    try:
        result = function(*passed)
    except (ValueError, KeyError) as error:
        wording = error.args if isinstance(error, KeyError) else None
        result = (type(error), wording)
    return result, passed == arguments


def raised(found: Any) -> bool:
    """Tell whether an `outcome` is an exception."""
    result = found[0]
    return isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], type)
