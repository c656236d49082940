"""The `.env` file beside a workspace: `NAME=value` lines that fill in, and never replace, the environment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from assay.core.errors import InvalidInput, Problem

LINE = re.compile(r"\s*(?:export\s+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)\s*=\s*(?P<value>.*?)\s*$")
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "$": "$"}


def with_dotenv(folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with what `.env` in the folder adds; the environment itself is left as it is.

    Raises InvalidInput with the lines that cannot be read; values are never shown.
    """
    path = folder / ".env"
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return dict(environment)
    except UnicodeDecodeError as error:
        raise InvalidInput(
            Problem(f"is not UTF-8 text at byte {error.start}: save it as UTF-8", str(path))
        ) from None
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise InvalidInput(Problem(f"cannot be read ({reason}): check its permissions", str(path))) from None
    return {**parse_dotenv(text, str(path)), **environment}


def parse_dotenv(text: str, shown: str) -> dict[str, str]:
    """Parse `NAME=value` lines: `export`, quotes and comments are understood, `$NAME` is not expanded."""
    found: dict[str, str] = {}
    problems = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = LINE.match(line)
        value = None if match is None else _value(match["value"])
        if match is None or value is None:
            advice = "write NAME=value, with the value in quotes where it has spaces, and the quotes closed"
            problems.append(Problem(f"cannot be read (its text is not shown): {advice}", shown, number))
            continue
        found[match["name"]] = value
    if problems:
        raise InvalidInput(problems)
    return found


def _value(text: str) -> str | None:
    """Return a value without quotes and comment; None where a quote is not closed."""
    if not text.startswith(("'", '"')):
        return re.split(r"(?:^|\s)#", text, maxsplit=1)[0].strip()
    quote = text[0]
    inside = r"(?:[^\"\\]|\\.)*" if quote == '"' else "[^']*"
    match = re.fullmatch(rf"{quote}({inside}){quote}\s*(?:#.*)?", text)
    if match is None:
        return None
    if quote == "'":
        return match[1]
    return re.sub(r"\\(.)", lambda escape: ESCAPES.get(escape[1], escape[0]), match[1])
