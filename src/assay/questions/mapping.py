"""Reading a record (a JSON object or a table's row) as the draft of a question, by a profile."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from assay.core.errors import InvalidInput
from assay.core.question import QuestionKind
from assay.questions.keys import LETTERS
from assay.questions.profiles.profile import RecordDefaults, RecordProfile, kind_words
from assay.questions.recognise import QuestionDraft
from assay.questions.refusal import Reason, RefusedRecord
from assay.questions.repair import Repair
from assay.questions.taxonomy import find_discipline, find_secondary

FIELDS = (
    "passage",
    "stem",
    "options",
    "key",
    "explanation",
    "kind",
    "discipline",
    "secondary",
    "uuid",
    "parent",
    "made_by",
)
_BRACKETED = re.compile(r"\s*[(（【\[]\s*([A-Z])\s*[)）】\]]\s*[.．、:：]?\s*")
_POINTED = re.compile(r"\s*([A-Z])\s*[.．、:：。)）]\s*")
_OPENS = frozenset("(（[【 \t\u3000")
_CLOSES = frozenset(".．、:：。)） \t\u3000")
_BARE = re.compile(r"\s*([A-Z])\s+")
_OPTION_LINES = re.compile(r"\s*(?:\n|\||｜|(?<=[;；\s])\s*(?=[(（]?[B-J][)）.．、:：]))\s*")


class MappedRecord(NamedTuple):
    """The draft in a record, and its other fields; disciplines are codes."""

    draft: QuestionDraft
    discipline: str | None
    secondary: str | None
    uuid: str | None
    parent: str | None
    made_by: str | None


class FieldMapping(NamedTuple):
    """The keys of the fields of records: one key (`plain`), or the first of several with a value."""

    plain: tuple[tuple[str, str], ...]
    fields: tuple[tuple[str, tuple[Value, ...]], ...]
    columns: tuple[Value, ...]

    def names(self) -> list[str]:
        """Return the names of the fields that have a key."""
        return [name for name, _ in (*self.plain, *self.fields)]


@dataclass(slots=True)
class RecordReader:
    """A reader of records by one profile.

    `unknown` collects keys without a field that the profile does not ignore; `read` collects the keys of each
    field.
    """

    profile: RecordProfile
    unknown: dict[str, None] = field(default_factory=dict)
    read: dict[str, dict[str, None]] = field(default_factory=dict)
    _plans: dict[tuple[str, ...], FieldMapping] = field(default_factory=dict)
    _disciplines: dict[str, str | None] = field(default_factory=dict)
    _secondaries: dict[tuple[str, str | None], tuple[str, str] | None] = field(default_factory=dict)
    _kinds: dict[str, tuple[QuestionKind | None, bool] | None] = field(default_factory=dict)

    def entry(self, record: Any) -> MappedRecord | RefusedRecord:
        """Return the content of a record, or a refusal."""
        if not isinstance(record, dict):
            return RefusedRecord(Reason.NO_OBJECT)
        keys = tuple(record)
        plan = self._plans.get(keys)
        if plan is None:
            plan = self._plans.setdefault(keys, self._map_keys(keys))
        defaults = self._defaults(record)
        if defaults.left_out is not None:
            return RefusedRecord(Reason.LEFT_OUT, defaults.left_out)
        values = {name: record.get(key) for name, key in plan.plain}
        for name, ways in plan.fields:
            values[name] = first_of(record, ways)
        draft = self._draft(record, plan, values, defaults)
        if isinstance(draft, RefusedRecord):
            return draft
        disciplines = self._discipline(values, defaults)
        if isinstance(disciplines, RefusedRecord):
            return disciplines
        uuid = values.get("uuid")
        if uuid is not None:
            try:
                uuid = str(UUID(uuid))
            except (ValueError, AttributeError, TypeError):
                return RefusedRecord(Reason.UUID)
        parent, made_by = (text_of(values.get(name)) or None for name in ("parent", "made_by"))
        return MappedRecord(draft, *disciplines, uuid, parent, made_by)

    def fields_of(self, keys: Sequence[str]) -> frozenset[str]:
        """Return the fields of records with these keys."""
        return frozenset(RecordReader(self.profile)._map_keys(tuple(keys)).names())

    def _map_keys(self, keys: tuple[str, ...]) -> FieldMapping:
        by_name = {_name(key): key for key in reversed(keys)}
        used: set[str] = set()
        fields: dict[str, tuple[Value, ...]] = {}
        plain: dict[str, str] = {}
        for field_name in FIELDS:
            ways, only = [], ""
            for name in getattr(self.profile, field_name):
                top, _, below = name.partition(".")
                key = by_name.get(_name(top))
                if key is not None:
                    ways.append(way_to(key, below))
                    only = "" if below else key
                    used.add(key)
                    self.read.setdefault(field_name, {})[key if not below else f"{key}.{below}"] = None
            if ways:
                fields[field_name] = tuple(ways)
            if len(ways) == 1 and only:
                plain[field_name] = only
        columns: list[Value] = []
        for names in self.profile.option_columns if "options" not in fields else ():
            present = [by_name[_name(name)] for name in names if _name(name) in by_name]
            if len(present) > 1:
                columns = [way_to(key, "") for key in present]
                used.update(present)
                self.read.setdefault("options", {}).update(dict.fromkeys(present))
                break
        ignored = {_name(name) for name in self.profile.ignored}
        self.unknown.update((key, None) for key in keys if key not in used and _name(key) not in ignored)
        several = tuple((name, ways) for name, ways in fields.items() if name not in plain)
        return FieldMapping(tuple(plain.items()), several, tuple(columns))

    def _defaults(self, record: Mapping[str, Any]) -> RecordDefaults:
        cases = self.profile.cases
        if cases is None:
            return self.profile.defaults
        value = str(record.get(cases.of))
        return cases.are.get(value) or RecordDefaults(
            left_out=f"unknown value {value[:60]!r} of {cases.of!r}"
        )

    def _draft(
        self,
        record: Mapping[str, Any],
        plan: FieldMapping,
        values: Mapping[str, Any],
        defaults: RecordDefaults,
    ) -> QuestionDraft | RefusedRecord:
        made: list[str] = []
        if plan.columns:
            options: list[str] | RefusedRecord = columns_of([text_of(way(record)) for way in plan.columns])
        else:
            options = options_of(values.get("options"))
            if not isinstance(options, RefusedRecord) and options:
                options = unlettered(options, made)
        if isinstance(options, RefusedRecord):
            return options
        kind, single = defaults.kind, False
        given = values.get("kind")
        if given is not None:
            known = self._kind(str(given))
            if known is None:
                return RefusedRecord(Reason.KIND, repr(str(given)[:60]))
            kind, single = known
        key = self._key(values.get("key"), options)
        if isinstance(key, RefusedRecord):
            return key
        explanation = text_of(values.get("explanation"))
        if isinstance(key, str):
            key, explanation = self._final(key, explanation)
        return QuestionDraft(
            stem=text_of(values.get("stem")),
            key=key,
            options=options,
            explanation=explanation,
            passage=text_of(values.get("passage")) or None,
            kind=kind,
            single=single,
            repairs=made,
        )

    def _key(self, value: Any, options: Sequence[str]) -> str | list[str] | RefusedRecord | None:
        if isinstance(value, bool) or value is None:
            return None if value is None else str(value)
        if isinstance(value, int) and options:
            if self.profile.index_from is None:
                return RefusedRecord(Reason.KEY_UNREADABLE, "it is a number: set `index_from` in a profile")
            place = value - self.profile.index_from
            return LETTERS[place] if 0 <= place < len(options) else RefusedRecord(Reason.KEY_BEYOND)
        if isinstance(value, list):
            return [text_of(part) for part in value]
        return text_of(value)

    def _final(self, key: str, explanation: str) -> tuple[str, str]:
        for pattern in self.profile.remove:
            key, explanation = re.sub(pattern, "", key), re.sub(pattern, "", explanation)
        mark = self.profile.final_answer_after
        if mark is not None and mark in key:
            steps, _, key = key.rpartition(mark)
            explanation = f"{steps.strip()}\n{explanation}".strip()
        return key, explanation

    def _kind(self, text: str) -> tuple[QuestionKind | None, bool] | None:
        if text not in self._kinds:
            name = text.strip().casefold()
            self._kinds[text] = next(
                ((words.kind, words.single) for words in kind_words() if name in words.words), None
            )
        return self._kinds[text]

    def _discipline(
        self, values: Mapping[str, Any], defaults: RecordDefaults
    ) -> tuple[str | None, str | None] | RefusedRecord:
        code, secondary = defaults.discipline, defaults.secondary
        given = text_of(values.get("discipline"))
        if given:
            if given not in self._disciplines:
                self._disciplines[given] = _or_none(lambda: find_discipline(given).code)
            code = self._disciplines[given]
            if code is None:
                return RefusedRecord(Reason.DISCIPLINE, repr(given[:60]))
            secondary = secondary if code == defaults.discipline else None
        given_secondary = text_of(values.get("secondary"))
        if given_secondary:
            wanted = (given_secondary, code)
            if wanted not in self._secondaries:
                self._secondaries[wanted] = _or_none(lambda: _both_codes(given_secondary, code))
            codes = self._secondaries[wanted]
            if codes is None:
                return RefusedRecord(Reason.DISCIPLINE, repr(given_secondary[:60]))
            code, secondary = codes
        return code, secondary


def _both_codes(text: str, code: str | None) -> tuple[str, str]:
    secondary = find_secondary(text, code)
    return secondary.primary, secondary.code


def _or_none(find: Callable[[], Any]) -> Any:
    try:
        return find()
    except InvalidInput:
        return None


def _name(key: str) -> str:
    return key.strip().casefold().replace(" ", "_").replace("-", "_")


def unlettered(options: Sequence[str], made: list[str]) -> list[str] | RefusedRecord:
    """Return options without the letters before them; a removal is added to `made`.

    Options with a missing letter, or a letter at another position, are refused, as the key is then ambiguous.
    A letter before fewer than half of the options is part of a name (`C. elegans`), unless in brackets.
    """
    if not any(option[:1] in _OPENS or option[1:2] in _CLOSES for option in options):
        return list(options)
    labels = [_BRACKETED.match(option) or _POINTED.match(option) for option in options]
    letters = [label and label.group(1) for label in labels]
    if not any(letters):
        labels = [_BARE.match(option) for option in options]
        letters = [label and label.group(1) for label in labels]
        if len(options) < 2 or letters != list(LETTERS[: len(options)]):
            return list(options)
    last = LETTERS[min(len(options), len(LETTERS) - 1)]
    letters = [letter if letter and letter <= last else None for letter in letters]
    if 2 * letters.count(None) > len(letters):
        labels = [_BRACKETED.match(option) for option in options]
        letters = [label and label.group(1) for label in labels]
    wrong = any(letter and letter != LETTERS[place] for place, letter in enumerate(letters))
    if wrong:
        return _refuse_order([letter for letter in letters if letter], letters.count(None))
    if not any(letters):
        return list(options)
    made.append(Repair.LETTERS_REMOVED)
    return [
        option[label.end() :] if label and letter else option
        for option, label, letter in zip(options, labels, letters, strict=True)
    ]


def _refuse_order(letters: list[str], bare: int) -> RefusedRecord:
    if len(set(letters)) < len(letters):
        return RefusedRecord(Reason.OPTION_TWICE)
    if sorted(letters) == letters and not bare:
        missing = [letter for letter in LETTERS[: LETTERS.index(letters[-1])] if letter not in letters]
        return RefusedRecord(Reason.OPTION_GAP, f"{', '.join(missing)} of A-{letters[-1]}")
    return RefusedRecord(Reason.OPTION_ORDER, ", ".join(letters))


Value = Callable[[Mapping[str, Any]], Any]


def way_to(key: str, below: str) -> Value:
    """Return a function that reads a key of a record, or the key `below` of the object there."""
    if not below:
        return lambda record: record.get(key)
    return lambda record: value.get(below) if isinstance(value := record.get(key), dict) else None


def first_of(record: Mapping[str, Any], ways: tuple[Value, ...]) -> Any:
    """Return the first value that is not empty, or None."""
    for way in ways:
        value = way(record)
        if value is not None and value != "" and value != []:
            return value
    return None


def text_of(value: Any) -> str:
    """Return a value as text: empty for None, and whole numbers without `.0`."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, int | float) else json.dumps(value, ensure_ascii=False)


def columns_of(options: list[str]) -> list[str]:
    """Return options from separate columns, without the empty ones at the end."""
    while options and not options[-1].strip():
        options.pop()
    return options


def options_of(value: Any) -> list[str] | RefusedRecord:
    """Return the options in a value: a list, an object with letters as keys, or several texts in one."""
    if value is None:
        return []
    if isinstance(value, str):
        text = value.strip()
        if text.startswith(("[", "{")):
            try:
                return options_of(json.loads(text))
            except json.JSONDecodeError:
                pass
        parts = [part for part in _OPTION_LINES.split(text) if part]
        return (
            [part.rstrip(";；") for part in parts] if len(parts) > 1 else RefusedRecord(Reason.OPTIONS_FORM)
        )
    if isinstance(value, dict):
        if isinstance(value.get("text"), list):
            return [text_of(option) for option in value["text"]]
        letters = [str(key).strip().upper() for key in value]
        if letters != list(LETTERS[: len(letters)]):
            return RefusedRecord(
                Reason.OPTION_GAP if sorted(set(letters)) == letters else Reason.OPTION_ORDER
            )
        return [text_of(option) for option in value.values()]
    if isinstance(value, list):
        return [text_of(item.get("text") if isinstance(item, dict) else item) for item in value]
    return RefusedRecord(Reason.OPTIONS_FORM)
