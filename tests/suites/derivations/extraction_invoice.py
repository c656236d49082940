"""Second derivation: the invoice's totals, dates and numbers, parsed out of the prompt and recomputed."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

CENT = Decimal("0.01")


def _round(value: Decimal, unit: Decimal = CENT) -> Decimal:
    return value.quantize(unit, ROUND_HALF_UP)


def _digits(text: str) -> str:
    return text.translate(str.maketrans("OlI", "011"))


def _german(text: str) -> Decimal:
    text = _digits(text.strip())
    sign = -1 if text.endswith("-") else 1
    return sign * Decimal(text.rstrip("-").replace(".", "").replace(",", "."))


def _german_date(text: str) -> date:
    return datetime.strptime(_digits(text), "%d.%m.%Y").replace(tzinfo=UTC).date()


def _check_vat_id(number: str) -> None:
    product = 10
    for digit in number[:8]:
        product = 2 * ((int(digit) + product) % 10 or 10) % 11
    assert (11 - product) % 10 == int(number[8]), f"VAT id {number} fails its check digit"


def _check_iban(iban: str) -> None:
    moved = iban[4:] + iban[:4]
    assert int("".join(str(int(letter, 36)) for letter in moved)) % 97 == 1, f"IBAN {iban} fails mod 97"


def invoice(prompt: str) -> dict[str, Any]:
    """Recompute the invoice from its line table, the corrections and the terms."""
    scan = prompt.split("--- OCR START ---")[1].split("--- OCR END ---")[0]
    lines: dict[int, tuple[str, Decimal]] = {}
    rebates: list[tuple[int, str, Decimal]] = []
    free = []
    for row in scan.splitlines():
        item = re.match(
            r"\s+([\dlO]) +[\dlO]{2}-[\dlO]{4} .*? ([\dlO]+-?) (?:Btl|Krt|Pkg|Ds|Mon|psch|Satz) +"
            r"([\dlO]+,[\dlO]{2}) +([AB]) +(\S.*)",
            row,
        )
        if item:
            position, quantity, price, code, amount = item.groups()
            if amount.startswith("kulanz"):
                free.append(int(_digits(position)))
                continue
            assert _german(quantity) * _german(price) == _german(amount), row
            lines[int(_digits(position))] = (code, _german(amount))
        rebate = re.match(r"\s+abzgl\. (\d+) % Positionsrabatt auf Pos\. (\d) +([AB]) +(\S+)", row)
        if rebate:
            share, position, code, amount = rebate.groups()
            assert -lines[int(position)][1] * int(share) / 100 == _german(amount), row
            rebates.append((int(position), code, _german(amount)))
    wrong = re.search(r"Pos\. (\d) wurde irrtümlich mit Code (\w) gedruckt.*?richtig ist Code (\w)", scan)
    assert wrong and lines[int(wrong[1])][0] == wrong[2]
    lines[int(wrong[1])] = (wrong[3], lines[int(wrong[1])][1])
    entries = [(position, code, amount) for position, (code, amount) in lines.items()] + rebates
    rates = {"A": Decimal(19), "B": Decimal(7)}
    net = {code: sum((a for _, c, a in entries if c == code), Decimal(0)) for code in rates}
    vat = {code: _round(net[code] * rate / 100) for code, rate in rates.items()}
    gross = sum(net.values()) + sum(vat.values())
    goods = sum((a * (1 + rates[code] / 100) for position, code, a in entries if position <= 5), Decimal(0))
    terms = re.search(
        r"innerhalb von (\S+) Tagen ab Rechnungsdatum ohne Abzug\. Bei Zahlung innerhalb von (\S+) Tagen "
        r"ab\s+Rechnungsdatum (\d) % Skonto",
        scan,
    )
    paid = re.search(r"Anzahlung .*?([\dlO]+,[\dlO]{2})-", scan)
    issued = re.search(r"Datum: +(\S+)", scan)
    delivered = re.search(r"Lieferung: +(\S+)", scan)
    number = re.search(r"Nr\.: +RE-(\S+)", scan)
    customer = re.search(r"Kd\.-Nr\.: +(\S+)", scan)
    vendor = re.search(r"^ +USt-IdNr\. DE (\S+)", scan, re.M)
    bank = re.search(r"IBAN (DE[\dlO ]+)", scan)
    assert terms and paid and issued and delivered and number and customer and vendor and bank
    vat_id, iban = _digits(vendor[1]), _digits(bank[1].replace(" ", ""))
    _check_vat_id(vat_id)
    _check_iban(iban)
    day = _german_date(issued[1])
    return {
        "invoice_number": "RE-" + _digits(number[1]),
        "invoice_date": day.isoformat(),
        "delivery_date": _german_date(delivered[1]).isoformat(),
        "customer_number": _digits(customer[1]),
        "vendor_vat_id": "DE" + vat_id,
        "iban": iban,
        "net_standard": float(net["A"]),
        "vat_standard": float(vat["A"]),
        "net_reduced": float(net["B"]),
        "vat_reduced": float(vat["B"]),
        "gross_total": float(gross),
        "amount_due": float(gross - _german(paid[1])),
        "discount_until": (day + timedelta(int(_digits(terms[2])))).isoformat(),
        "discount_amount": float(_round(goods * int(terms[3]) / 100)),
        "due_date": (day + timedelta(int(_digits(terms[1])))).isoformat(),
        "unbilled_position": free[0],
    }
