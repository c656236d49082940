"""Second checks of the instruction-following rules: plain predicates over the raw answer.

Each function returns one truth value per constraint of the case, in the order of the suite's file.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from string import ascii_letters, digits


def _sentences(text: str) -> list[str]:
    return [part for part in re.split(r"(?<=[.!?])\s+", text) if part]


def _words(text: str) -> list[str]:
    return [word for word in text.split() if any(letter.isalnum() for letter in word)]


def _longest_sentence(text: str) -> int:
    return max((len(_words(sentence)) for sentence in _sentences(text)), default=0)


def _paragraphs(text: str) -> list[str]:
    return [part.strip() for part in re.sub(r"\n[ \t]*(?=\n)", "\n", text).split("\n\n") if part.strip()]


def _opens_with(paragraph: str, word: str) -> bool:
    letters = "".join(c if c.isalpha() else " " for c in paragraph).split()
    return bool(letters) and paragraph.lstrip("\"'").lower().startswith(word) and letters[0].lower() == word


def crane_notice(text: str) -> list[bool]:
    """The acrostic HARBOR in six plain sentences."""
    lines = [line for line in text.split("\n") if line.strip()]
    places = [re.search(rf"\b{word}\b", text, re.I) for word in ("crane", "helmet", "radio", "inspector")]
    starts = [found.start() if found else -1 for found in places]
    closed = [line for line in lines if line.endswith(".") and not set(line[:-1]) & set(".!?")]
    return [
        "".join(line.strip()[0].upper() for line in lines) == "HARBOR",
        len(closed) == 6,
        _longest_sentence(text) <= 10,
        text.count(",") == 0,
        54 <= len(_words(text)) <= 57,
        -1 not in starts and starts == sorted(starts),
        text.rstrip()[-12:] == "before dusk.",
    ]


def lipogram(text: str) -> list[bool]:
    """Three paragraphs without the letter u."""
    parts = _paragraphs(text)
    three = len(parts) == 3
    return [
        not set("uU") & set(text),
        three and _opens_with(parts[0], "first"),
        three and _opens_with(parts[1], "then"),
        three and _opens_with(parts[2], "finally"),
        100 <= len(_words(text)) <= 110,
        len(text.lower().split("water")) == 4,
        _longest_sentence(text) <= 14,
        not set(digits) & set(text)
        and not any(line.strip()[:1] in ("-", "*", "•") for line in text.split("\n")),
    ]


def handover(text: str) -> list[bool]:
    """One JSON object with five German sentences."""
    body = re.sub(r"^```\w*\n|\n```$", "", text.strip())
    pairs = json.loads(body, object_pairs_hook=list)
    values = [value for _, value in pairs]
    german = {"die", "der", "das", "und", "hat", "ist", "um", "von", "nicht", "uhr", "es", "den"}
    found = Counter(word.strip('.,"').lower() for word in text.split())
    one_sentence = [
        8 <= len(value.split(" ")) <= 12 and value.endswith(".") and value.count(".") == 1 for value in values
    ]
    return [
        [key for key, _ in pairs] == ["anlage", "stoerung", "massnahme", "offen", "rueckruf"],
        text[:1] == "{" and text[-1:] == "}",
        one_sentence == [True] * 5,
        sum(found[word] for word in german) >= 3,
        not set("äöüÄÖÜß" + digits) & set(text),
        text.lower().count("nicht") == 1,
        not any("," in value for value in values),
    ]


def library(text: str) -> list[bool]:
    """A title, a table, a sorted list and a last line in capitals."""
    lines = text.split("\n")
    cells = [
        [cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines if line[:1] == "|"
    ]
    bullets = [line[2:] for line in lines if line[:2] == "- "]
    tidy = [line for line in bullets if len(line.split()) == 4 and line[-1] in ascii_letters]
    capitals = [word for word in re.findall(r"[A-Za-z]+", text) if word == word.upper()]
    title = lines[0].strip()
    return [
        title[:2] == "<<" and title[-2:] == ">>" and len(title) > 4,
        len(cells) == 7
        and cells[0] == ["Day", "Room", "Activity", "Seats"]
        and {len(row) for row in cells} == {4},
        len(re.findall(r"[0-9]+", text)) == 5,
        len(tidy) == 4,
        len(bullets) > 1 and [line.lower() for line in bullets] == sorted(line.lower() for line in bullets),
        len(capitals) == 4,
        lines[-1].endswith("DOORS CLOSE AT SEVEN"),
        "workshop" not in [word.lower() for word in re.findall(r"\w+", text)],
    ]


def roof_letter(text: str) -> list[bool]:
    """Four paragraphs in quotation marks."""
    parts = _paragraphs(text)
    slots = [piece.split("]")[0] for piece in text.split("[")[1:] if "]" in piece]
    used = {word.lower() for word in re.findall(r"\w+", text)}
    return [
        text[:1] == '"' and text[-1:] == '"' and text.count('"') == 2,
        len(parts) == 4 and _opens_with(parts[1], "noise"),
        text.lower().count("scaffold") == 3,
        len(slots) == 2 and all(slots),
        parts[-1].startswith(("P.S.", "P. S.")) and "\n" not in parts[-1],
        95 <= len(_words(text)) <= 105,
        _longest_sentence(text) <= 16,
        not used & {"sorry", "apologise", "apologize", "inconvenience"},
    ]


PREDICATES: dict[str, Callable[[str], list[bool]]] = {
    "follow-crane-notice": crane_notice,
    "follow-lipogram-repotting": lipogram,
    "follow-handover-json": handover,
    "follow-library-week": library,
    "follow-roof-letter": roof_letter,
}
