"""Checks of form: JSON, a table, format constraints and patterns."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from assay.core.documented import HelpText
from assay.core.grade import Grade
from assay.grading.check import Count, Flag, Patterns, Switch, Texts, check, flag, grade
from assay.grading.checks.flags import FlagCode
from assay.grading.constraint_kinds.layout import RULE, markdown_tables, same_header
from assay.grading.constraints import check_constraint, constraint_problems
from assay.grading.fields.document import Document, find_document
from assay.grading.fields.path import Absent, look_up, parse_path
from assay.grading.parameters import Parameters
from assay.grading.text.answer import cut, visible
from assay.grading.text.pattern import LONGEST, compiled
from assay.grading.text.prose import marked_down

TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
MOST = 20
"""The most flags for one JSON document."""


def _json_problems(parameters: Parameters) -> Iterator[str]:
    types = parameters.get("types", {})
    if not isinstance(types, Mapping):
        yield f"types is {types!r}: map each path to one of {', '.join(TYPES)}"
        return
    for path, kind in types.items():
        if unknown := sorted({part.strip() for part in str(kind).split("|")} - {*TYPES}):
            yield f"types: {path!r} is {unknown[0]!r}: write one of {', '.join(TYPES)}"
    keys = parameters.get("keys", ())
    for path in (*(keys if isinstance(keys, list | tuple) else ()), *types):
        for part in str(path).split("[*]"):
            try:
                parse_path(part.removeprefix(".") or "$")
            except ValueError as error:
                yield f"path {path!r}: {error}"


@check(
    "json_valid",
    version="1",
    problems=_json_problems,
    about=HelpText("""
        An auto-check that flags an answer that is not the JSON that was asked for: not valid, wrapped in
        other text, or with missing keys or wrong types.

        Answers that programs read must parse every time. The check tests the form only; whether the values
        are right is the task of `json_fields`.

        Set `bare: false` if a fence or an introduction is fine. `keys` and `types` take paths such as
        `items[*].price`. Null must be allowed explicitly (`string|null`).
    """),
)
def json_valid(
    answer: str, *, bare: Switch = True, keys: Texts = (), types: Mapping[str, str] | None = None
) -> Grade:
    """Flag an answer that is not the requested JSON.

    Parameters: `bare` (default true: no fence, no prose), `keys` (required dotted paths), `types` (path to
    `string`, `integer`, `number`, `boolean`, `array`, `object` or `null`; `string|null` allows either;
    `items[*].price` means every element). The JSON is strict: no comments, trailing commas, single quotes or
    NaN.
    """
    types = types or {}
    text = visible(answer).strip().removeprefix("\ufeff").strip()
    document = _document(text)
    if document.error:
        return grade(flag(FlagCode.NOT_JSON, document.error), where=document.where)
    flags = []
    if bare and document.where != "the whole answer":
        fenced = text.startswith("```") and text.endswith("```") and text.count("```") == 2
        code, message = (
            (FlagCode.FENCED, "the JSON is in a fence")
            if fenced
            else (FlagCode.PROSE_AROUND, "text stands around the JSON")
        )
        flags.append(flag(code, message, words=cut(text, 120)))
    for path in dict.fromkeys((*keys, *types)):
        for where, value in _at(document.root, path, path.split("[*]")):
            if isinstance(value, Absent):
                flags.append(flag(FlagCode.MISSING_KEY, f"{where}: {value.why}", path=where))
            elif path in types and not _fits(value, types[path]):
                message = f"{where} is {_type(value)}, not {types[path]}"
                flags.append(flag(FlagCode.WRONG_TYPE, message, path=where))
    extra = {"duplicates": document.duplicates} if document.duplicates else {}
    return grade(*flags[:MOST], where=document.where, **extra)


def _document(text: str) -> Document:
    """Return the whole answer if it is JSON of any kind, else the object or array in it."""
    array = text.startswith("[")
    document = find_document(text, array=array)
    if document.where == "the whole answer":
        return document
    try:
        root = json.loads(text, parse_float=Decimal, parse_constant=_refuse)
    except (ValueError, RecursionError):
        pass
    else:
        return Document(root, "the whole answer", "", [], 1)
    if not document.error:
        return document
    other = find_document(text, array=not array)
    return document if other.error else other


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _at(root: Any, path: str, parts: list[str]) -> list[tuple[str, Any]]:
    """Return the paths that a path with `[*]` for every element expands to, with their values."""
    first, rest = parts[0], parts[1:]
    value = look_up(root, parse_path(first.removeprefix(".") or "$"))
    if not rest or isinstance(value, Absent):
        return [(path, value)]
    if not isinstance(value, list):
        return [(path, Absent(f"{_type(value)} where a list should be"))]
    return [
        (f"{first}[{number}]{where if where.startswith(('.', '[')) or not where else '.' + where}", inner)
        for number, element in enumerate(value)
        for where, inner in _at(element, "[*]".join(rest), rest)
    ]


def _fits(value: Any, kinds: str) -> bool:
    allowed = {kind.strip() for kind in kinds.split("|")}
    kind = _type(value)
    return kind in allowed or (kind == "integer" and "number" in allowed)


def _type(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, Decimal):
        return "integer" if value == value.to_integral_value() else "number"
    names = {str: "string", int: "integer", list: "array", dict: "object", type(None): "null"}
    return names.get(type(value), "several values")


@check(
    "table_format",
    version="1",
    any_of=("rows", "columns", "header"),
    about=HelpText("""
        An auto-check that flags an answer whose table does not have the shape that was asked for.

        Numbers of rows and columns and the header are what programs and readers rely on. Markdown and HTML
        tables count, also inside a code fence; of several tables the best one is judged.

        Give at least one of `rows` (without the header), `columns` and `header`. With `only: true` any text
        beside the table is flagged as well.
    """),
)
def table_format(
    answer: str,
    *,
    rows: Count | None = None,
    columns: Count | None = None,
    header: Texts | None = None,
    only: Switch = False,
) -> Grade:
    """Flag an answer whose table does not have the requested shape.

    Parameters: `rows` (below the header), `columns`, `header` (names, ignoring case and emphasis), `only`
    (default false: nothing but the table is allowed; a fence around it is no text). Markdown and HTML tables
    count, also in a fence. Of several tables the best fitting one counts.
    """
    shown = visible(answer)
    every = tables(shown)
    if not every:
        return grade(flag(FlagCode.NO_TABLE, "holds no table"))
    flagged = [(_differences(table, rows, columns, header), table) for table in every]
    flags, best = min(flagged, key=lambda pair: len(pair[0]))
    if only and (beside := best.beside(shown)):
        message = f"text beside the table: {cut(beside, 80)!r}"
        flags.append(flag(FlagCode.TEXT_BESIDE, message, words=cut(beside, 200)))
    return grade(
        *flags, rows=len(best.rows), columns=best.widths, header=list(best.header), tables=len(every)
    )


def _differences(
    table: AnswerTable, rows: int | None, columns: int | None, header: Sequence[str] | None
) -> list[Flag]:
    flags = []
    if rows is not None and len(table.rows) != rows:
        message = f"{len(table.rows)} rows below the header, {rows} wanted"
        flags.append(flag(FlagCode.ROWS, message, count=len(table.rows)))
    if columns is not None and table.widths != [columns]:
        message = f"{' and '.join(map(str, table.widths))} columns, {columns} wanted"
        flags.append(flag(FlagCode.COLUMNS, message, counts=table.widths))
    if header is not None and not same_header(table.header, header):
        message = f"headed {list(table.header)!r}, not {list(header)!r}"
        flags.append(flag(FlagCode.HEADER, message, header=list(table.header)))
    return flags


def _constraint_problems(parameters: Parameters) -> tuple[str, ...]:
    return constraint_problems(parameters["constraints"]) if "constraints" in parameters else ()


@check(
    "constraint_check",
    version="2",
    problems=_constraint_problems,
    any_of=("constraints", "must", "must_not"),
    about=HelpText("""
        An auto-check that flags an answer for each format constraint or pattern that it does not follow.

        One prompt can combine several demands (a word limit, a closing phrase, no exclamation marks); each
        broken one gets a flag of its own.

        Write `constraints` as in the grader `constraints`, and patterns in `must` and `must_not`. Use the
        grader instead if the share of followed constraints should be the score.
    """),
)
def constraint_check(
    answer: str,
    *,
    constraints: Sequence[Mapping[str, Any]] = (),
    must: Patterns = (),
    must_not: Patterns = (),
) -> Grade:
    """Flag an answer that breaks one of several constraints.

    Parameters: `constraints` (as in the `constraints` grader), `must` and `must_not` (patterns). Patterns of
    both lists are searched in the answer, and in the answer without Markdown's marks and with ASCII quotes.
    Constraints on its beginning, its end and its bullets are also checked without typography: a phrase in
    bold or quotation marks can end an answer, and "•" is a bullet.
    """
    shown = visible(answer)
    flags = []
    for constraint in constraints:
        kind = constraint["kind"]
        parameters = {name: value for name, value in constraint.items() if name != "kind"}
        outcome = check_constraint(kind, parameters, shown)
        if not outcome.followed and kind in _TYPOGRAPHY:
            plainly = check_constraint(kind, parameters, _TYPOGRAPHY[kind](shown))
            outcome = plainly if plainly.followed else outcome
        if not outcome.followed:
            counted, wanted = outcome.finding.counted, outcome.finding.wanted
            message = f"{outcome.kind}: counted {str(counted)[:80]}, wanted {wanted}"
            flags.append(flag(FlagCode.CONSTRAINT_BROKEN, message, kind=outcome.kind, counted=counted))
    text = shown[:LONGEST]
    plain = marked_down(text).text
    for source in must:
        if not _find(source, text, plain):
            flags.append(flag(FlagCode.MISSING, f"nothing matches {source!r}", pattern=source))
    for source in must_not:
        if match := _find(source, text, plain):
            line = match.string.count("\n", 0, match.start()) + 1
            words = match[0][:120]
            flags.append(flag(FlagCode.FORBIDDEN, f"holds {words!r}", pattern=source, words=words, line=line))
    return grade(*flags)


def _unquoted(text: str) -> str:
    """Return a text without emphasis, and without the quotation marks around the whole of it."""
    return marked_down(text).text.strip().strip("\"'").strip()


def _dashed(text: str) -> str:
    """Return a text with typographic bullets at line starts written as Markdown's."""
    return _BULLET.sub(r"\1-", text)


_BULLET = re.compile(r"^([ \t]*)[\u2022\u2023\u25e6\u25aa\u25cf\u00b7\u2013\u2014](?=\s)", re.MULTILINE)
_TYPOGRAPHY: dict[str, Callable[[str], str]] = {
    "assay:ends_with": _unquoted,
    "assay:starts_with": _unquoted,
    "detectable_format:number_bullet_lists": _dashed,
    "startend:end_checker": _unquoted,
}


def _find(source: str, text: str, plain: str) -> re.Match[str] | None:
    pattern = compiled(source, ignore_case=True)
    return pattern.search(text) or pattern.search(plain)


_HTML = re.compile(r"<table\b[^>]*>(.*?)(?:</table\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_ROW = re.compile(r"<tr\b[^>]*>(.*?)(?=<tr\b|</tr|</table|\Z)", re.IGNORECASE | re.DOTALL)
_CELL = re.compile(r"<t[hd]\b[^>]*>(.*?)(?=<t[hd]\b|</t[hdr]\b|\Z)", re.IGNORECASE | re.DOTALL)
_HTML_TAG = re.compile(r"<[^<>]*>")
_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_QUOTE = re.compile(r"^[ \t]*>[ \t]?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """A table: its header, the rows below it, and the span of its lines (in HTML of its characters)."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    first: int
    last: int
    html: bool = False

    @property
    def widths(self) -> list[int]:
        """The distinct numbers of columns of the header and the rows."""
        return sorted({len(self.header), *map(len, self.rows)})

    def beside(self, text: str) -> str:
        """Return the text around this table, without fences."""
        if self.html:
            rest = text[: self.first] + "\n" + text[self.last :]
        else:
            lines = _QUOTE.sub("", text).splitlines()
            rest = "\n".join([*lines[: self.first], *lines[self.last :]])
        return _FENCE.sub("", rest).strip()


def tables(text: str) -> list[AnswerTable]:
    """Return the tables of a text in order, Markdown's first. Rules repeated between rows are no rows."""
    every = []
    if "|" in text and "-" in text:
        bare = _QUOTE.sub("", text) if ">" in text else text
        for first, rows in markdown_tables(bare):
            body = [tuple(row) for row in rows[1:] if not RULE.match("|".join(row).strip())]
            # One line for the rule below the header.
            every.append(AnswerTable(tuple(rows[0]), tuple(body), first, first + len(rows) + 1))
    if "<t" in text.lower():
        every += [table for match in _HTML.finditer(text) if (table := _html(match)) is not None]
    return every


def _html(match: re.Match[str]) -> AnswerTable | None:
    rows = [
        tuple(_HTML_TAG.sub("", cell).strip() for cell in _CELL.findall(row))
        for row in _ROW.findall(match[1])
    ]
    rows = [row for row in rows if row]
    return AnswerTable(rows[0], tuple(rows[1:]), *match.span(), html=True) if rows else None
