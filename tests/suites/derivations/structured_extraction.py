"""Second derivations of the structured-extraction gold answers: parse the prompts and recompute."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from email.utils import parsedate_to_datetime
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


def _before(day: date, working_days: int) -> date:
    while working_days:
        day -= timedelta(1)
        working_days -= day.weekday() < 5
    return day


def _clock(text: str, minutes: int) -> str:
    return (datetime.strptime(text, "%H:%M").replace(tzinfo=UTC) + timedelta(minutes=minutes)).strftime(
        "%H:%M"
    )


def offsite(prompt: str) -> dict[str, Any]:
    """Replay the organiser's statements in the order of sending."""
    mails = []
    for part in re.split(r"--- mail \d of \d\n", prompt)[1:]:
        header = re.match(r"From: (.*)\nDate: (.*)\nSubject: .*\n", part)
        assert header
        body = part[header.end() :].split("Return one JSON")[0]
        body = "\n".join(line for line in body.splitlines() if not line.startswith(">"))
        if "Ines Varga" in header[1]:
            mails.append((parsedate_to_datetime(header[2]), body))
    plan: dict[str, Any] = {}
    first: dict[str, str] = {}
    budgets: list[int] = []
    words = {"five": 5, "Seven": 7, "two": 2, "Three": 3, "one": 1, "three": 3, "half an hour": 30}
    for _, body in sorted(mails):
        if found := re.search(r"Thursday (\d+) April(?:,| it is)", body):
            plan["date"] = date(2026, 4, int(found[1]))
        if found := re.search(r"(\d\d:\d\d) to (\d\d:\d\d)", body):
            plan["start"], plan["end"] = first["start"], first["end"] = found[1], found[2]
        if found := re.search(r"Everything (half an hour) later than first announced", body):
            plan["start"], plan["end"] = (_clock(first[key], words[found[1]]) for key in ("start", "end"))
        if found := re.search(r"we start at (\d\d:\d\d)", body):
            plan["start"] = found[1]
        if found := re.search(r"Room (\w+)", body):
            plan["room"] = found[1]
        if found := re.search(r"(\d+) people|headcount to (\d+)", body):
            plan["heads"] = int(found[1] or found[2])
        if found := re.search(r"(\w+) (?:of the lunches are vegetarian|vegetarian lunches)", body):
            plan["vegetarian"] = words[found[1]]
        if found := re.search(r"(\w+) of those vegan", body):
            plan["vegan"] = words[found[1]]
        if found := re.search(
            r"(\w+) people dropped out, and (\w+) of the \w+ had ordered a vegetarian", body
        ):
            plan["heads"] -= words[found[1]]
            plan["vegetarian"] -= words[found[2]]
        if found := re.search(r"EUR ([\d,]+\d)", body):
            budgets.append(int(found[1].replace(",", "")))
        if found := re.search(r"Hotel (\w+) holds", body):
            plan["hotel"] = found[1]
        if found := re.search(r"GRZ-\d+", body):
            plan["block"] = found[0]
        if found := re.search(r"(\w+) opens, (\w+) closes", body):
            plan["opens"], plan["closes"] = found.groups()
        if "Tomasz and Leila swap" in body:
            plan["opens"], plan["closes"] = plan["closes"], plan["opens"]
        if "Slides one week before" in body:
            plan["slides"] = 7
        if found := re.search(r"slides (\w+) working days earlier", body):
            plan["slides_earlier"] = words[found[1]]
        if found := re.search(r"dietary list closes (\w+) working days before", body):
            plan["dietary"] = words[found[1]]
    span = [datetime.strptime(plan[key], "%H:%M").replace(tzinfo=UTC) for key in ("start", "end")]
    return {
        "workshop_date": plan["date"].isoformat(),
        "start_time": plan["start"],
        "end_time": plan["end"],
        "duration_minutes": (span[1] - span[0]).seconds // 60,
        "room": plan["room"],
        "headcount": plan["heads"],
        "vegetarian_lunches": plan["vegetarian"],
        "vegan_lunches": plan["vegan"],
        "budget_eur": budgets[-1],
        "hotel_name": plan["hotel"],
        "hotel_block": plan["block"],
        "opening_speaker": plan["opens"],
        "closing_speaker": plan["closes"],
        "slides_due": _before(plan["date"] - timedelta(plan["slides"]), plan["slides_earlier"]).isoformat(),
        "dietary_list_closes": _before(plan["date"], plan["dietary"]).isoformat(),
        "superseded_budgets": sorted(set(budgets[:-1])),
    }


def _tablets(scheme: str) -> int:
    return sum(int(part) for part in scheme.split("-"))


def referral(prompt: str) -> dict[str, Any]:
    """Replay the changes on the printed medication and compute doses, age and laboratory values."""
    letter = prompt.split("--- LETTER ---")[1].split("--- END ---")[0]
    printed = {
        name: (float(dose), scheme)
        for name, dose, scheme in re.findall(r"^ +(\w+) +([\d.]+) mg +(\d-\d-\d|when needed)$", letter, re.M)
    }
    daily = {n: dose * _tablets(s) if s != "when needed" else 0.0 for n, (dose, s) in printed.items()}
    out = {"ibuprofen": r"Ibuprofen was stopped for good", "pantoprazole": r"never taken the pantoprazole"}
    gone = {name for name, said in out.items() if re.search(said, letter)}
    swap = re.search(r"(\w+) was replaced on [\w ]+ by (\w+) (\d+) mg at night", letter)
    assert swap
    gone.add(swap[1])
    daily[swap[2]] = float(swap[3])
    paused = {name.lower() for name in re.findall(r"(\w+) is paused since", letter)}
    assert "evening dose of bisoprolol was halved" in letter and printed["bisoprolol"][1] == "1-0-1"
    daily["bisoprolol"] = printed["bisoprolol"][0] * 1.5
    assert "Ramipril is now given twice a day in the printed strength" in letter
    daily["ramipril"] = printed["ramipril"][0] * 2
    reduced = re.search(r"rivaroxaban was reduced to (\d+) mg", letter)
    assert reduced
    daily["rivaroxaban"] = float(reduced[1])
    extra = re.search(r"On (.*?) she takes an extra half tablet of torasemide", letter)
    assert extra
    extra_days = len(re.findall(r"\w+days", extra[1]))
    born, seen = date(1952, 3, 14), date(2026, 3, 3)
    assert "born 14/03/1952" in letter and "3 March 2026" in letter
    rows = {
        name: [float(value.replace(",", "")) for value in values.split()]
        for name, values in re.findall(
            r"^ +(creatinine|eGFR|potassium|NT-proBNP) \S+ +([\d., ]+)$", letter, re.M
        )
    }
    spans = {"ten": 10, "thirty": 30}
    smoked = re.search(
        r"from (\d{4}) to (\d{4}) about (\w+) cigarettes a day, "
        r"from \d{4} until she stopped in (\d{4}) (\w+) a",
        letter,
    )
    assert smoked
    start, middle, end = int(smoked[1]), int(smoked[2]), int(smoked[4])
    cigarettes = spans[smoked[3]] * (middle - start) + spans[smoked[5]] * (end - middle)
    weights = re.search(r"weight ([\d.]+) kg \(([\d.]+) kg in October\)", letter)
    fraction = re.search(r"addendum of 20 January gives (\d+) %", letter)
    early = [
        who.lower()
        for who, age in re.findall(r"(mother|brother|father)[^,;]*? (?:at|infarction at) (\d+)", letter)
        if int(age) < 55
    ]
    assert weights and fraction
    bnp = rows["NT-proBNP"]
    gone = {name.lower() for name in gone}
    return {
        "birth_date": born.isoformat(),
        "age_years": seen.year - born.year - ((seen.month, seen.day) < (born.month, born.day)),
        "urgency": "urgent" if "within 14 days" in letter and "not an emergency" in letter else None,
        "ejection_fraction_percent": int(fraction[1]),
        "active_medications": sorted(set(daily) - gone - paused),
        "paused_medications": sorted(paused),
        "stopped_or_never_taken": sorted(gone),
        "bisoprolol_mg_per_day": daily["bisoprolol"],
        "ramipril_mg_per_day": daily["ramipril"],
        "rivaroxaban_mg_per_day": daily["rivaroxaban"],
        "torasemide_mg_per_week": 7 * daily["torasemide"] + extra_days * printed["torasemide"][0] / 2,
        "true_allergies": [name.lower() for name in re.findall(r"(\w+): anaphylaxis", letter)],
        "creatinine_umol_per_l": round(rows["creatinine"][-1] * 88.4),
        "potassium_peak": max(rows["potassium"]),
        "nt_probnp_change_percent": round((bnp[-1] / bnp[0] - 1) * 100),
        "pack_years": cigarettes / 20,
        "premature_heart_disease_relative": early[0],
        "weight_gain_kg": round(float(weights[1]) - float(weights[2]), 1),
    }


def manifest(prompt: str) -> dict[str, Any]:
    """Parse the list and its amendments, and recompute sums, extremes and lists."""
    listed = prompt.split("DISCHARGE LIST ---")[1].split("--- END ---")[0]
    units: dict[int, dict[str, Any]] = {}
    for row in listed.splitlines():
        found = re.match(r"(\d\d)  (\w{4} \d{6}-\d)  (\w{4})  (\w{3}) +([\d,]+)(L?) +(\w+) +(.*)", row)
        if found:
            number, container, kind, port, cargo, pounds, seal, remarks = found.groups()
            weight = Decimal(cargo.replace(",", ""))
            if pounds:
                weight = _round(weight * Decimal("0.45359237"), Decimal(1))
            units[int(number)] = {
                "container": container.replace(" ", ""),
                "feet": 20 if kind[0] == "2" else 40,
                "port": port,
                "cargo": int(weight),
                "seal": seal,
                "un": re.findall(r"UN\d{4}", remarks),
                "set": re.findall(r"set ([+-]\d+)([CF])", remarks),
            }
    weighed = re.search(r"Item (\d+) re-weighed before loading: cargo ([\d,]+) kg", listed)
    moved = re.search(r"Item (\d+) now discharges at Hamburg", listed)
    left = re.search(r"Item (\d+) short-shipped", listed)
    sealed = re.search(r"Seal of item (\d+) broken by customs and replaced by (\w+)\.", listed)
    cleared = re.search(r"Item (\d+): .* UN number withdrawn", listed)
    assert weighed and moved and left and sealed and cleared
    units[int(weighed[1])]["cargo"] = int(weighed[2].replace(",", ""))
    units[int(moved[1])]["port"] = "HAM"
    units[int(sealed[1])]["seal"] = sealed[2]
    units[int(cleared[1])]["un"] = []
    del units[int(left[1])]
    for unit in units.values():
        unit["weight"] = unit["cargo"] + (2300 if unit["feet"] == 20 else 3900)
        unit["celsius"] = [
            float(degrees) if scale == "C" else (float(degrees) - 32) * 5 / 9
            for degrees, scale in unit["set"]
        ]
    by_port = {port: [u for u in units.values() if u["port"] == port] for port in ("RTM", "HAM", "ANR")}
    reefers = sorted((u for u in units.values() if u["celsius"]), key=lambda u: u["celsius"][0])
    heaviest = max(units.values(), key=lambda u: u["weight"])
    lightest = min((u for u in units.values() if u["cargo"]), key=lambda u: u["weight"])
    answer: dict[str, Any] = {
        "units_on_board": len(units),
        "teu_on_board": sum(u["feet"] // 20 for u in units.values()),
        "dangerous_un_numbers": sorted(number for u in units.values() for number in u["un"]),
        "reefers_coldest_first": [u["container"] for u in reefers],
        "coldest_set_point_c": round(reefers[0]["celsius"][0], 1),
        "heaviest_container": heaviest["container"],
        "heaviest_weight_kg": heaviest["weight"],
        "lightest_loaded_container": lightest["container"],
        "seal_item_10": units[10]["seal"],
        "hamburg_containers": [u["container"] for u in by_port["HAM"]],
    }
    for port, there in by_port.items():
        answer[f"{port.lower()}_units"] = len(there)
        answer[f"{port.lower()}_weight_kg"] = sum(u["weight"] for u in there)
    return answer


def job_log(prompt: str) -> dict[str, Any]:
    """Replay the log with corrected clocks and repeated lines dropped."""
    pattern = re.compile(r"^ *#(\d+) (\S+) (INFO|WARN|ERROR) +(w\d) (.*)$", re.M)
    lines = {int(number): rest for number, *rest in pattern.findall(prompt)}
    resync = next(number for number, rest in lines.items() if "clock resync" in rest[3])
    fast = int(re.findall(r"was=\+(\d+)s", lines[resync][3])[0])
    attempts: dict[tuple[str, int], dict[str, Any]] = {}
    errors = []
    for number in sorted(lines):
        stamp, level, worker, text = lines[number]
        at = datetime.fromisoformat(stamp.replace("Z", "+00:00")).astimezone(UTC)
        if worker == "w2" and number < resync:
            at -= timedelta(seconds=fast)
        if level == "ERROR":
            errors.append(at)
        found = re.match(r"job=(\w+) attempt=(\d+) (start|done|fail|verify failed|cancelled)(.*)", text)
        if not found:
            continue
        attempt = attempts.setdefault((found[1], int(found[2])), {})
        attempt[found[3]] = at
        if found[3] == "start":
            attempt["tenant"] = re.findall(r"tenant=(\w+)", found[4])[0]
        if found[3] == "done":
            attempt["rows"] = int(re.findall(r"rows=(\d+)", found[4])[0])
    jobs = sorted({job for job, _ in attempts})
    won = {key: a for key, a in attempts.items() if "done" in a and "verify failed" not in a}
    seconds = {job: int((a["done"] - a["start"]).total_seconds()) for (job, _), a in won.items()}
    lost = {key for key, a in attempts.items() if "fail" in a or "verify failed" in a}
    last = {job: max(key for key in attempts if key[0] == job) for job in jobs}
    longest, shortest = max(seconds, key=seconds.__getitem__), min(seconds, key=seconds.__getitem__)
    return {
        "jobs_seen": len(jobs),
        "succeeded_first_try": sorted(job for job, number in won if number == 1),
        "succeeded_after_retry": sorted(job for job, number in won if number > 1),
        "failed_for_good": [job for job in jobs if last[job] in lost],
        "cancelled": [job for job in jobs if "cancelled" in attempts[last[job]]],
        "unfinished": [job for job in jobs if set(attempts[last[job]]) == {"start", "tenant"}],
        "error_lines": len(errors),
        "first_error_utc": min(errors).strftime("%H:%M:%S"),
        "rows_total": sum(a["rows"] for a in won.values()),
        "longest_job": longest,
        "longest_seconds": seconds[longest],
        "shortest_job": shortest,
        "shortest_seconds": seconds[shortest],
        "successful_seconds_total": sum(seconds.values()),
        "b22_retry_gap_seconds": int(
            (attempts["b22", 2]["start"] - attempts["b22", 1]["fail"]).total_seconds()
        ),
        "tenants_with_failed_attempts": sorted({attempts[key]["tenant"] for key in lost}),
    }


DERIVATIONS = {
    "extract-messy-invoice": invoice,
    "extract-offsite-thread": offsite,
    "extract-referral-letter": referral,
    "extract-shipping-manifest": manifest,
    "extract-job-log": job_log,
}
