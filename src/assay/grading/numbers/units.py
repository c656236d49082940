"""Units and scale words beside numbers: which spellings are one unit, and what a scale word multiplies by."""

from __future__ import annotations

_SPELLINGS = {
    "EUR": "€ eur euro euros",
    "USD": "$ us$ usd dollar dollars",
    "GBP": "£ gbp pound-sterling sterling",
    "JPY": "¥ jpy yen",
    "CHF": "chf sfr fr. franken",
    "INR": "₹ inr rs rs. rupee rupees",
    "PLN": "zł pln",
    "cent": "¢ cent cents ct",
    "%": "% percent per-cent pct prozent",
    "‰": "‰ permille promille",
    "ms": "ms millisecond milliseconds",
    "s": "s sec secs second seconds sekunde sekunden",
    "min": "min mins minute minutes minuten",
    "h": "h hr hrs hour hours stunde stunden",
    "d": "d day days tag tage tagen",
    "week": "week weeks wk wks woche wochen",
    "month": "month months monat monate",
    "year": "year years yr yrs jahr jahre",
    "mm": "mm millimetre millimetres millimeter millimeters",
    "cm": "cm centimetre centimetres centimeter centimeters zentimeter",
    "m": "m metre metres meter meters",
    "km": "km kilometre kilometres kilometer kilometers",
    "inch": "inch inches",
    "ft": "ft foot feet",
    "yd": "yd yard yards",
    "mile": "mi mile miles",
    "mg": "mg milligram milligrams",
    "g": "g gram grams gramm",
    "kg": "kg kilogram kilograms kilogramm",
    "t": "t tonne tonnes",
    "lb": "lb lbs pound pounds",
    "oz": "oz ounce ounces",
    "ml": "ml millilitre millilitres milliliter milliliters",
    "l": "l litre litres liter liters",
    "km/h": "km/h kph kmh",
    "mph": "mph",
    "m/s": "m/s",
    "°C": "°c celsius",
    "°F": "°f fahrenheit",
    "°": "° degree degrees",
    "W": "w watt watts",
    "kW": "kw",
    "kWh": "kwh",
    "MB": "mb",
    "GB": "gb",
}
_UNIT = {spelling: unit for unit, spellings in _SPELLINGS.items() for spelling in spellings.split()}
_POUNDS = frozenset({"pound", "pounds", "pounds sterling", "british pounds"})
CURRENCIES = frozenset({"EUR", "USD", "GBP", "JPY", "CHF", "INR", "PLN"})

SCALES = {
    "hundred": 100,
    "thousand": 1_000,
    "tsd": 1_000,
    "lakh": 100_000,
    "million": 1_000_000,
    "millions": 1_000_000,
    "millionen": 1_000_000,
    "mio": 1_000_000,
    "crore": 10_000_000,
    "billion": 1_000_000_000,
    "billions": 1_000_000_000,
    "bn": 1_000_000_000,
    "milliarde": 1_000_000_000,
    "milliarden": 1_000_000_000,
    "milliard": 1_000_000_000,
    "milliards": 1_000_000_000,
    "mrd": 1_000_000_000,
    "trillion": 1_000_000_000_000,
    "trillions": 1_000_000_000_000,
}
MONEY_SCALES = {
    "k": 1_000,
    "K": 1_000,
    "m": 1_000_000,
    "M": 1_000_000,
    "b": 1_000_000_000,
    "B": 1_000_000_000,
}


def unit_of(text: str) -> str | None:
    """Return the unit that a spelling stands for (`minutes` -> `min`, `€` -> `EUR`), or None."""
    spelling = text.strip().casefold()
    return _UNIT.get(spelling) or _UNIT.get(spelling.rstrip("."))


def currency_of(text: str) -> str | None:
    """Return the ISO 4217 code that a sign, name or code stands for, or None.

    Any three capital letters are taken for a code: `SEK` needs no entry here.
    """
    stripped = text.strip()
    if stripped.casefold() in _POUNDS:
        return "GBP"
    unit = unit_of(stripped)
    if unit in CURRENCIES:
        return unit
    return stripped.upper() if len(stripped) == 3 and stripped.isascii() and stripped.isalpha() else None
