"""Constraints on layout: bullets, highlights, titles, JSON and its keys, tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from assay.core.documented import HelpText
from assay.grading.constraint_kinds.kind import (
    ConstraintFinding,
    Demands,
    Range,
    compare_count,
    count,
    flag,
    kind,
    text,
    texts,
)
from assay.grading.parameters import Parameters


@kind(
    "assay:json_keys",
    texts("keys"),
    flag("in_order"),
    about=HelpText("""
        The whole answer is one JSON object with exactly the given keys.

        An additional key breaks it as much as a missing one, and so does a key that is written twice. A
        Markdown fence around the object is allowed; other text is not.

        The evidence lists the keys that were found, or the parser's message. `in_order: true` also demands
        their order.
    """),
)
def _keys(answer: str, parameters: Parameters) -> ConstraintFinding:
    keys = list(parameters["keys"])
    in_order = parameters.get("in_order", False)
    wanted = f"one JSON object with exactly the keys {keys!r}" + (" in this order" if in_order else "")
    try:
        # Pairs, since a dictionary would hide duplicate keys.
        pairs = json.loads(bare_json(answer), object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as error:
        return ConstraintFinding(False, str(error), wanted)
    if not isinstance(pairs, _Pairs):
        return ConstraintFinding(False, f"JSON, but a {type(pairs).__name__}", wanted)
    given = [key for key, _ in pairs]
    followed = given == keys if in_order else sorted(given) == sorted(keys)
    return ConstraintFinding(followed, given[:50], wanted)


class _Pairs(list[tuple[str, object]]):
    """The members of a JSON object, in order."""


RULE = re.compile(r"^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$")
BAR = re.compile(r"(?<!\\)\|")


def cells(line: str) -> list[str]:
    """Return the stripped cells of one line of a Markdown table; `\\|` is text."""
    inner = line.strip()
    inner = inner.removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip() for cell in BAR.split(inner)]


def table(answer: str) -> list[list[str]] | None:
    """Return the header and the rows of the first Markdown table; None without a table."""
    return next((rows for _, rows in markdown_tables(answer)), None)


def markdown_tables(answer: str) -> Iterator[tuple[int, list[list[str]]]]:
    """Yield each Markdown table: its first line (from 0), and its header and rows in one list."""
    lines = answer.splitlines()
    at = 1
    while at < len(lines):
        rule = lines[at].strip()
        if "|" in lines[at - 1] and "-" in rule and RULE.match(rule):
            header = cells(lines[at - 1])
            if len(cells(rule)) == len(header):
                first, rows = at - 1, [header]
                while at + 1 < len(lines) and "|" in lines[at + 1]:
                    at += 1
                    rows.append(cells(lines[at]))
                yield first, rows
        at += 1


def same_header(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether two headers have the same names, ignoring case and emphasis."""
    return [_bare(cell) for cell in one] == [_bare(cell) for cell in other]


def _header_fits(given: Parameters) -> tuple[str, ...]:
    header = given.get("header")
    if header is not None and len(header) != given["columns"]:
        return (f"header names {len(header)} columns, columns is {given['columns']}",)
    return ()


@kind(
    "assay:table_shape",
    count("rows"),
    count("columns"),
    texts("header", required=False),
    extra_problems=_header_fits,
    about=HelpText("""
        The first Markdown table of the answer has a certain number of rows below its header and of columns.

        Every row must have the same number of cells. A vertical bar inside a cell splits it unless it is
        written `\\|`.

        The evidence gives rows, widths and header of the table that was found. Several tables, or HTML
        tables, are better judged with the auto-check `table_format`.
    """),
)
def _shape(answer: str, parameters: Parameters) -> ConstraintFinding:
    rows, columns = parameters["rows"], parameters["columns"]
    header = parameters.get("header")
    wanted = f"a Markdown table of {rows} rows below its header and {columns} columns"
    if header is not None:
        wanted += f", headed {list(header)!r}"
    lines = table(answer)
    if lines is None:
        return ConstraintFinding(False, None, wanted)
    widths = sorted({len(row) for row in lines})
    named = header is None or same_header(lines[0], header)
    counted = {"rows": len(lines) - 1, "columns": widths, "header": lines[0]}
    return ConstraintFinding(len(lines) - 1 == rows and widths == [columns] and named, counted, wanted)


def _bare(cell: str) -> str:
    return cell.strip(" *_`").casefold()


BULLET = re.compile(r"\*[^*]|-")
HIGHLIGHT = re.compile(r"\*[^\n*]*\*")
STRONG = re.compile(r"\*\*[^\n*]*\*\*")
OPTIONS = ("My answer is yes.", "My answer is no.", "My answer is maybe.")
FENCE = re.compile(r"^```(?:json|Json|JSON)?")


def bullets(answer: str) -> int:
    """Return the number of lines that begin with `* ` or `-`."""
    return sum(1 for line in answer.split("\n") if BULLET.match(line.lstrip()))


def highlights(answer: str) -> int:
    """Return the number of passages in `*...*` and in `**...**` that are not blank."""
    passages = (*HIGHLIGHT.findall(answer), *STRONG.findall(answer))
    return sum(1 for passage in passages if passage.strip("*").strip())


def titles(answer: str) -> list[str]:
    """Return the non-blank text in `<<...>>` of each line, from its first `<<` to its last `>>`."""
    spans = ((line, line.find("<<"), line.rfind(">>")) for line in answer.split("\n"))
    every = (line[start:end].strip("<>").strip() for line, start, end in spans if 0 <= start < end)
    return [title for title in every if title]


def bare_json(answer: str) -> str:
    """Return the answer without a surrounding Markdown fence."""
    return FENCE.sub("", answer.strip()).removesuffix("```").strip()


@kind(
    "detectable_format:number_bullet_lists",
    count("num_bullets"),
    demands=lambda given: Demands(ranges=(Range("bullets", given["num_bullets"], given["num_bullets"]),)),
    about=HelpText("""
        The answer has exactly so many lines that begin with a bullet, `* ` or `-`.

        Bullets at every level count together, and so does a line of dashes (`---`). A numbered list has no
        bullets.

        Count the lines that begin with an asterisk or a hyphen, indented ones included. The auto-check
        `constraint_check` also accepts the typographic bullet `•`.
    """),
)
def _bullets(answer: str, parameters: Parameters) -> ConstraintFinding:
    return compare_count(bullets(answer), "exactly", parameters["num_bullets"], "bullets")


@kind(
    "detectable_format:number_highlighted_sections",
    count("num_highlights"),
    demands=lambda given: Demands(ranges=(Range("highlighted passages", given["num_highlights"], None),)),
    about=HelpText("""
        The answer highlights at least so many passages with asterisks, as in `*this*` or `**this**`.

        A highlight must begin and end on the same line and contain something. Underscores and HTML do not
        count.

        Count the pairs of asterisks. A bullet written with an asterisk can form an unintended pair with
        another one on its line.
    """),
)
def _highlights(answer: str, parameters: Parameters) -> ConstraintFinding:
    return compare_count(highlights(answer), "at least", parameters["num_highlights"], "highlighted passages")


@kind(
    "detectable_format:multiple_sections",
    text("section_spliter"),
    count("num_sections"),
    demands=lambda given: Demands(phrases=(given["section_spliter"],)),
    about=HelpText("""
        The answer has at least so many sections, each headed by a certain word and a number, such as
        "SECTION 1".

        The word must be written exactly as in the constraint, capitals included, followed by at most one
        space and a number. The numbers need not be in order.

        "Section 1" does not count for `SECTION`. Mentions in running text ("see SECTION 1") do count.
    """),
)
def _sections(answer: str, parameters: Parameters) -> ConstraintFinding:
    word, wanted = parameters["section_spliter"].strip(), parameters["num_sections"]
    number = len(re.findall(rf"{re.escape(word)}\s?\d+", answer))
    return compare_count(number, "at least", wanted, f"sections headed '{word} 1' and so on")


@kind(
    "detectable_format:json_format",
    about=HelpText("""
        The whole answer is valid JSON. A Markdown fence around it is allowed.

        Anything else, such as an introduction, a comment or a trailing comma, breaks it. The JSON may have
        any shape.

        The evidence quotes the parser's message with its line and column. To demand certain keys use
        `assay:json_keys` or the auto-check `json_valid`.
    """),
)
def _json(answer: str, parameters: Parameters) -> ConstraintFinding:
    try:
        json.loads(bare_json(answer))
    except (ValueError, RecursionError) as error:
        return ConstraintFinding(False, str(error), "the whole answer is JSON")
    return ConstraintFinding(True, "JSON", "the whole answer is JSON")


@kind(
    "detectable_format:title",
    demands=lambda given: Demands(phrases=("<<", ">>")),
    about=HelpText("""
        The answer has a title in double angular brackets, such as `<<Spring>>`.

        Some models write a Markdown heading instead, which does not count. Brackets without text between
        them do not count either.

        The evidence lists the titles that were found. If the answer was passed through software that
        removes HTML tags, the title can be lost there.
    """),
)
def _title(answer: str, parameters: Parameters) -> ConstraintFinding:
    every = titles(answer)
    return ConstraintFinding(bool(every), every[:3], "a title in <<double angular brackets>>")


@kind(
    "detectable_format:constrained_response",
    about=HelpText("""
        The answer contains one of three sentences: "My answer is yes.", "My answer is no." or "My answer is
        maybe."

        The sentence must be there letter by letter, with its full stop, anywhere in the answer.

        The evidence lists the sentences that were found; if it is empty, look for "My answer is: yes" or a
        missing full stop. For other options use `assay:regex`.
    """),
)
def _constrained(answer: str, parameters: Parameters) -> ConstraintFinding:
    given = [option for option in OPTIONS if option in answer]
    return ConstraintFinding(bool(given), given, "one of " + ", ".join(repr(option) for option in OPTIONS))
