"""Second derivation: doses, age and values of the referral letter, parsed out of the prompt."""

from __future__ import annotations

import re
from datetime import date
from typing import Any


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
