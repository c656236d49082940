"""Second derivations of the math gold answers: integer arithmetic, enumeration and calendars."""

from __future__ import annotations

import re
from datetime import date, timedelta
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb
from typing import Any


def loan_ledger(prompt: str) -> dict[str, Any]:
    """Run the ledger in whole cents and check that it closes."""
    cents = [int(amount.replace(",", "").replace(".", "")) for amount in re.findall(r"[\d,]+\.\d\d", prompt)]
    loan, payment, fee, extra = cents
    rates = re.findall(r"([\d.]+) % in months 1 to 4 and ([\d.]+) % from month 5", prompt)[0]
    tenths = [int(rate.replace(".", "")) for rate in rates]
    balance, interest_sum, balances = loan, 0, []
    for month in range(1, 7):
        numerator = balance * tenths[month > 4]
        interest = (2 * numerator + 12_000) // 24_000
        interest_sum += interest
        balance += interest + (fee if month == 2 else -payment) - (extra if month == 3 else 0)
        balances.append(balance)
    assert loan + interest_sum + fee - 5 * payment - extra == balance
    return {"A": balances[2] / 100, "B": interest_sum / 100, "C": balance / 100}


def _valid(code: str) -> bool:
    return "AA" not in code and "BCB" not in code and code.count("C") % 2 == 0


def _by_states(length: int) -> dict[int, int]:
    """Return how many valid codes there are by their number of As, without writing them out."""
    states: dict[tuple[str, int, int], int] = {("", 0, 0): 1}
    for _ in range(length):
        grown: dict[tuple[str, int, int], int] = {}
        for (tail, parity, count), ways in states.items():
            for letter in "ABC":
                if tail[-1:] + letter == "AA" or tail + letter == "BCB":
                    continue
                key = ((tail + letter)[-2:], parity ^ (letter == "C"), count + (letter == "A"))
                grown[key] = grown.get(key, 0) + ways
        states = grown
    counts: dict[int, int] = {}
    for (_, parity, count), ways in states.items():
        if not parity:
            counts[count] = counts.get(count, 0) + ways
    return counts


def gate_codes(prompt: str) -> dict[str, Any]:
    """Write every code out and try the rules; a state machine must agree."""
    assert {"".join(p) for p in product("ABC", repeat=2) if _valid("".join(p))} == {"AB", "BA", "BB", "CC"}
    short, long = (int(n) for n in re.findall(r"How many valid codes of length (\d)", prompt)[:2])
    codes = {n: [c for p in product("ABC", repeat=n) if _valid(c := "".join(p))] for n in (short, long)}
    three = sum(code.count("A") == 3 for code in codes[long])
    assert sum(_by_states(short).values()) == len(codes[short])
    assert _by_states(long)[3] == three
    return {"A": len(codes[short]), "B": len(codes[long]), "C": three}


def _stop(order: str) -> int:
    """Return after how many capsules an order of colours stops: third R or second W."""
    for taken in range(1, len(order) + 1):
        if order[:taken].count("R") == 3 or order[:taken].count("W") == 2:
            return taken
    raise AssertionError(order)


def _orders(red: int, blue: int, white: int) -> list[str]:
    total, orders = red + blue + white, []
    for reds in combinations(range(total), red):
        rest = [place for place in range(total) if place not in reds]
        for whites in combinations(rest, white):
            orders.append("".join("R" if i in reds else "W" if i in whites else "B" for i in range(total)))
    return orders


def urn_stop(prompt: str) -> dict[str, Any]:
    """Enumerate all colour orders of the tray; closed formulas for two parts must agree."""
    red, blue, white = (int(n) for n in re.findall(r"(\d) red, (\d) blue and (\d) white", prompt)[0])
    orders = _orders(red, blue, white)
    stops = [(order, _stop(order)) for order in orders]
    total = len(orders)
    by_white = Fraction(sum(order[stop - 1] == "W" for order, stop in stops), total)
    expected = Fraction(sum(stop for _, stop in stops), total)
    five = Fraction(sum(stop == 5 for _, stop in stops), total)
    coloured = comb(red + white, 4)
    closed = sum(comb(white, k) * comb(red, 4 - k) for k in range(2, white + 1))
    assert by_white == Fraction(closed, coloured)

    def going(k: int) -> Fraction:
        ways = sum(
            comb(red, r) * comb(white, w) * comb(blue, k - r - w)
            for r in range(3)
            for w in range(2)
            if 0 <= k - r - w <= blue
        )
        return Fraction(ways, comb(red + blue + white, k))

    assert expected == sum(going(k) for k in range(13))
    assert five == going(4) - going(5)
    return {"A": str(by_white), "B": str(expected), "C": str(five)}


def speaker_slots(prompt: str) -> dict[str, Any]:
    """Try all orders as sequences of initials against each wish."""
    names = re.findall(r"Ada|Bo|Cem|Dora|Eli|Fay|Gus", prompt.split("The chair")[0])
    assert [name[0] for name in names] == list("ABCDEFG")
    wishes = (
        lambda s: abs(s.index("A") - s.index("B")) - 1 == 2,
        lambda s: "CD" not in s and "DC" not in s,
        lambda s: s[::2].count("E") == 1 and s[1::2].count("F") == 1,
        lambda s: "A" not in s[: s.index("G")] and "C" not in s[: s.index("G")],
        lambda s: ("DE" in s) + ("FD" in s) == 1,
        lambda s: s.index("B") + s.index("F") + 2 == 11,
    )
    counts = []
    left = ["".join(order) for order in permutations("ABCDEFG")]
    for wish in wishes:
        left = [order for order in left if wish(order)]
        counts.append(len(left))
    assert counts[5] == 1
    slots = "".join(str(left[0].index(name) + 1) for name in "ABCDEFG")
    return {"A": counts[3], "B": counts[4], "C": int(slots)}


def service_calendar(prompt: str) -> dict[str, Any]:
    """Walk through the year; inclusion and exclusion must give the same quiet days."""
    contracts = re.findall(r"every (\d+) days, for the first time on (\w+) (\d+) January (\d{4})", prompt)
    year = [date(2028, 1, 1) + timedelta(days) for days in range(366)]
    assert year[-1] == date(2028, 12, 31)
    pumps = []
    for period, weekday, day, in_year in contracts:
        first = date(int(in_year), 1, int(day))
        assert first.strftime("%A") == weekday
        pumps.append({d for d in year if d >= first and (d - first).days % int(period) == 0})
    kept = [{d for d in pump if d.strftime("%A") != "Sunday"} for pump in pumps]
    services = [sum(d in pump for pump in kept) for d in year]
    together = kept[0] & kept[1] & kept[2]
    pairs = [first & second for first, second in combinations(kept, 2)]
    served = sum(len(pump) for pump in kept) - sum(len(pair) for pair in pairs) + len(together)
    assert services.count(0) == 366 - served
    assert len(pairs[0] | pairs[1] | pairs[2]) == sum(n >= 2 for n in services)
    return {
        "A": int(min(together).strftime("%Y%m%d")),
        "B": sum(services),
        "C": services.count(0),
    }


DERIVATIONS = {
    "math-loan-ledger": loan_ledger,
    "math-gate-codes": gate_codes,
    "math-urn-stop": urn_stop,
    "math-speaker-slots": speaker_slots,
    "math-service-calendar": service_calendar,
}
