"""Badges by listing the lines in the order of preference, where the exemplar decides step by step."""

from __future__ import annotations

from random import Random


def badge(name: str, org: str, role: str) -> str:
    """Return the badge's line: the first candidate that the rules allow."""
    if role == "minor":
        return name
    who = f"* {name}" if role == "speaker" else name
    initials = "".join(word[0] for word in org.split(" ") if word != word[:1].lower() + word[1:])
    candidates = [f"{who} / {text}" for text in (org.upper(), initials) if text] + [who]
    if role == "press":
        return candidates[0].ljust(12, ".")
    fitting = [line for line in candidates if len(line) <= 24] or [who]
    return fitting[0] + "." * (12 - len(fitting[0]))


def random_badge(random: Random) -> tuple[str, str, str]:
    """Return the arguments of a badge, many of them near a limit of length."""
    name = " ".join(_word(random, capital=random.random() < 0.8) for _ in range(random.randint(1, 3)))
    words = [_word(random, capital=random.random() < 0.6) for _ in range(random.randint(0, 5))]
    return name, " ".join(words), random.choice(["guest", "speaker", "press", "minor"])


def _word(random: Random, *, capital: bool) -> str:
    word = "".join(random.choice("aeiklmnorstuv") for _ in range(random.randint(1, 9)))
    return word.capitalize() if capital else word
