"""Second derivations of the report figures: tables and notes are parsed out of the prompts."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

Table = dict[str, list[float]]


def _number(cell: str) -> float:
    return float(cell.strip().replace(",", ""))


def table(prompt: str, caption: str) -> Table:
    """Return a Markdown table below a caption as first cell (without note marks) -> numbers."""
    lines = prompt.split("\n" + caption)[1].split("|\n\n")[0].splitlines()
    rows = [line.strip().strip("|").split("|") for line in lines if line.strip().startswith("|")]
    return {
        re.sub(r" \((\w)\)$", "", row[0].strip()): [_number(cell) for cell in row[1:]] for row in rows[2:]
    }


def _find(pattern: str, prompt: str) -> tuple[float, ...]:
    found = re.search(pattern, prompt)
    assert found, pattern
    return tuple(_number(group) for group in found.groups())


def _total(rows: Table, names: list[str], printed: str) -> list[float]:
    """Return the column sums of some rows, after checking them against the printed total."""
    sums = [sum(column) for column in zip(*(rows[name] for name in names), strict=True)]
    assert [round(value, 3) for value in sums] == rows[printed], printed
    return sums


def water(prompt: str) -> dict[str, Any]:
    """Recompute the water balance with the corrected purchase."""
    rows = table(prompt, "Table 1.")
    own = _total(rows, ["Abstraction, well fields", "Abstraction, Lake Rhen"], "Own abstraction")
    billed = ["Billed, households", "Billed, business and public bodies"]
    fixed = _total(rows, billed, "Billed by fixed meters")
    cost = table(prompt, "Table 2.")
    _total(cost, [name for name in cost if name != "Total"], "Total")
    purchased = list(rows["Purchased from Sarn Valley"])
    purchased[1] = _find(r"purchased in 2024 is ([\d,]+) thousand", prompt)[0]
    passed = rows["Passed on to Ostrey"]
    inputs = [own[year] + purchased[year] - passed[year] for year in range(3)]
    portable = rows["Billed, standpipes and building sites"]
    unbilled = rows["Unbilled authorised use (flushing, fire service)"]
    free = [inputs[year] - fixed[year] - portable[year] for year in range(3)]
    first, last = _find(r"had ([\d,]+) inhabitants on 1 January and ([\d,]+) on 31 December", prompt)
    elsewhere = _find(r"The ([\d,]+) inhabitants of Fellside", prompt)[0]
    heads = (first + last) / 2 - elsewhere
    sewage = _find(r"(\d+) thousand euros in 2025\), which runs", prompt)[0]
    price = [cost["Purchased water"][year] * 1000 / purchased[year + 1] for year in range(2)]
    return {
        "system_input_2025_million_m3": inputs[2] / 1000,
        "system_input_2024_million_m3": inputs[1] / 1000,
        "non_revenue_water_2025_percent": 100 * free[2] / inputs[2],
        "water_losses_2024_percent": 100 * (free[1] - unbilled[1]) / inputs[1],
        "household_litres_per_head_day_2025": rows["Billed, households"][2] * 1e6 / heads / 365,
        "energy_cent_per_m3_2025": (cost["Energy"][1] * 1e6 - sewage * 1e3) * 100 / (inputs[2] * 1e3),
        "purchase_price_change_percent": 100 * (price[1] / price[0] - 1),
    }


def retail(prompt: str) -> dict[str, Any]:
    """Recompute growth on restated figures and the adjusted margin."""
    sales = table(prompt, "Table 1.")
    _total(sales, [name for name in sales if not name.startswith("Continuing")], "Continuing operations")
    result = table(prompt, "Table 2.")
    parts = [name for name in result if name not in ("Net sales", "Operating profit")]
    _total(result, parts, "Operating profit")
    _, restated, now = zip(*sales.values(), strict=True)
    names = list(sales)
    before = dict(zip(names, restated, strict=True))
    after = dict(zip(names, now, strict=True))
    rates = _find(r"SEK ([\d.]+) in Q3 2024 and SEK ([\d.]+) in Q3 2025 for one euro", prompt)
    new = _find(
        r"contributed SEK ([\d.]+) million to the Nordic sales of this quarter and SEK ([\d.]+) million",
        prompt,
    )
    closed = _find(r"The four stores .*? contributed SEK ([\d.]+) million", prompt)[0]
    like = (
        after["Stores Nordic"] / 1000 - new[0],
        before["Stores Nordic"] / 1000 - new[1] - closed,
    )
    garden = _find(r"day of the sale were SEK ([\d.]+) million", prompt)[0]
    write_down = _find(r"warehouse, SEK (-[\d.]+) million", prompt)[0]
    gain = _find(r"plot in Växjö, SEK ([\d.]+) million", prompt)[0]
    adjusted = (result["Operating profit"][0] - gain, result["Operating profit"][1] - write_down)
    margins = (
        100_000 * adjusted[0] / before["Continuing operations"],
        100_000 * adjusted[1] / after["Continuing operations"],
    )
    stock = _find(r"Inventory was SEK ([\d.]+) million", prompt)[0]
    foreign = _find(r"contains goods for SEK ([\d.]+) million", prompt)[0]
    days = _find(r"multiply by (\d+), the number of its days", prompt)[0]
    goods = after["Continuing operations"] / 1000 - result["Gross profit"][1]
    assert date(2025, 10, 1) - date(2025, 7, 1) == timedelta(days)
    return {
        "online_growth_percent": 100 * (after["Online"] / before["Online"] - 1),
        "nordic_like_for_like_percent": 100 * (like[0] / like[1] - 1),
        "germany_growth_in_euros_percent": 100
        * ((after["Stores Germany"] / rates[1]) / (before["Stores Germany"] / rates[0]) - 1),
        "net_sales_with_garden_q3_2025_sek_million": after["Continuing operations"] / 1000 + garden,
        "adjusted_operating_profit_q3_2025_sek_million": adjusted[1],
        "adjusted_margin_change_points": margins[1] - margins[0],
        "inventory_days": (stock - foreign) / goods * days,
    }


def hospital(prompt: str) -> dict[str, Any]:
    """Recompute the rates over their proper denominators."""
    rows = table(prompt, "Table 1.")
    printed = ["Medicine", "Surgery", "Gynaecology"]
    sums = _total(rows, printed, "Subtotal")
    whole = [a + b for a, b in zip(sums, rows["Orthopaedics"], strict=True)]

    def rate(discharges: float, died: float, moved: float, again: float, planned: float) -> float:
        return 100 * (again - planned) / (discharges - died - moved)

    quarters = table(prompt, "Table 2.")
    days, line_days, infections, falls, injured = (
        sum(column) for column in zip(*quarters.values(), strict=True)
    )
    assert "reclassified one of the infections" in prompt and "added two infections" in prompt
    infections += 2 - 1
    ward = _find(r"its ([\d,]+) patient days, (\d+) falls and (\d+) falls with injury", prompt)
    days, falls, injured = days - ward[0], falls - ward[1], injured - ward[2]
    before = _find(r"In 2024 there were (\d+) line infections in ([\d,]+) central line days", prompt)
    lines = 1000 * infections / line_days
    return {
        "readmission_rate_hospital": rate(*whole),
        "readmission_rate_medicine": rate(*rows["Medicine"]),
        "line_infection_rate_2025": lines,
        "line_infection_rate_change_percent": 100 * (lines / (1000 * before[0] / before[1]) - 1),
        "fall_rate_2025": 1000 * falls / days,
        "falls_with_injury_percent": 100 * injured / falls,
        "length_of_stay_days": days / whole[0],
    }


def energy(prompt: str) -> dict[str, Any]:
    """Recompute the park's figures; capacity and turbine hours are summed day by day."""
    rows = table(prompt, "Table 1.")
    wind, solar, curtailed = _total(rows, ["Q1", "Q2", "Q3", "Q4"], "Year")
    wind += _find(r"accepted ([\d,]+) MWh for these days", prompt)[0]
    solar -= _find(r"([\d,]+) MWh of the year's solar energy were used by the park itself", prompt)[0]
    old, megawatts, new = _find(r"had (\d+) turbines of ([\d.]+) MW until 30 June and has had (\d+)", prompt)
    year = [date(2025, 1, 1) + timedelta(day) for day in range(365)]
    turbine_hours = sum(24 * (old if day <= date(2025, 6, 30) else new) for day in year)
    possible = turbine_hours * megawatts
    still = table(prompt, "Table 2.")
    counted = sum(sum(hours) for cause, hours in still.items() if not cause.startswith("Grid operator"))
    peak = _find(r"modules of ([\d.]+) MW peak", prompt)[0]
    tariff, limit = _find(r"fixed tariff of ([\d.]+) euros per MWh for the first ([\d,]+) MWh", prompt)
    market = _find(r"market value, which was ([\d.]+) euros", prompt)[0]
    sun = _find(r"solar energy earns ([\d.]+) euros", prompt)[0]
    share = _find(r"compensated with (\d+) percent", prompt)[0] / 100
    revenue = (
        min(wind, limit) * tariff + max(wind - limit, 0) * market + solar * sun + curtailed * share * tariff
    )
    cost = table(prompt, "Table 3.")
    booked = _total(
        cost, [name for name in cost if not name.startswith("Operating")], "Operating cost as booked"
    )
    prepaid = _find(r"Contains (\d+) thousand euros paid in December", prompt)[0]
    return {
        "wind_delivered_mwh": wind,
        "wind_capacity_factor_percent": 100 * wind / possible,
        "wind_potential_capacity_factor_percent": 100 * (wind + curtailed) / possible,
        "solar_specific_yield_kwh_per_kwp": solar / peak,
        "contract_availability_percent": 100 * (1 - counted / turbine_hours),
        "revenue_million_euros": revenue / 1e6,
        "operating_cost_euros_per_mwh": (booked[0] - prepaid) * 1000 / (wind + solar),
    }


def training(prompt: str) -> dict[str, Any]:
    """Recompute the cohort's rates with the notes' corrections."""
    rows = table(prompt, "Table 1.")
    centres = [name for name in rows if name != "All centres"]
    enrolled, moved_in, moved_out, _, completed, certified, surveyed, working = _total(
        rows, centres, "All centres"
    )
    for name in centres:
        start, came, left, gone, done = rows[name][:5]
        assert start + came - left - gone == done, name
    certified -= _find(r"contains (\d+) people of the 2023 cohort", prompt)[0]
    others = _find(r"called (\d+) people who had withdrawn, (\d+) of whom were in work", prompt)
    assistants = _find(r"(\d+) of those at Kisera are assistants", prompt)[0]
    women = _find(r"enrolled, ([\d,]+) were women", prompt)[0]
    women_done = _find(r"Of the women, (\d+) were in the course on its last day", prompt)[0]
    cost = table(prompt, "Table 2.")
    running = _total(cost, ["Trainers", "Materials", "Stipends", "Rent and utilities"], "Running cost")
    budget, actual = (running[i] + cost["Equipment"][i] for i in range(2))
    arrears = _find(r"contains ([\d,]+) thousand shillings of stipends", prompt)[0]
    rate = _find(r"exchanged was ([\d.]+)", prompt)[0]
    assert "one fifth of what was actually spent" in prompt
    cohort = running[1] - arrears + cost["Equipment"][1] / 5
    bandari = rows["Bandari"]
    return {
        "completion_rate_percent": 100 * completed / (enrolled + moved_in - moved_out),
        "completion_rate_bandari_percent": 100 * bandari[4] / (bandari[0] + bandari[1] - bandari[2]),
        "completion_rate_men_percent": 100 * (completed - women_done) / (enrolled - women),
        "certification_rate_percent": 100 * certified / completed,
        "employment_rate_percent": 100 * (working - others[1] - assistants) / (surveyed - others[0]),
        "budget_deviation_percent": 100 * (actual / budget - 1),
        "cost_per_certificate_euros": cohort * 1000 / certified / rate,
    }


DERIVATIONS = {
    "report-water-utility": water,
    "report-retail-quarter": retail,
    "report-hospital-quality": hospital,
    "report-energy-park": energy,
    "report-training-programme": training,
}
