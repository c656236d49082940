"""Second derivation: weights, sums and lists of the manifest, parsed out of the prompt and recomputed."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any


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
                weight = (weight * Decimal("0.45359237")).quantize(Decimal(1), ROUND_HALF_UP)
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
