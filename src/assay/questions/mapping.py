"""Reading a record (a JSON object or a table's row) as the draft of a question, as a profile declares."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from assay.core.errors import InvalidInput
from assay.core.question import QuestionKind
from assay.questions.keys import LETTERS
from assay.questions.option_letters import unlettered
from assay.questions.profiles.built_in import kind_words
from assay.questions.profiles.records import Known, RecordProfile
from assay.questions.recognise import Draft
from assay.questions.record_values import Value, columns_of, first_of, options_of, text_of, way_to
from assay.questions.refusal import Reason, Refused
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


class Entry(NamedTuple):
    """The draft that a record holds, and what else it says; disciplines as codes."""

    draft: Draft
    discipline: str | None
    secondary: str | None
    uuid: str | None
    parent: str | None
    made_by: str | None


class Plan(NamedTuple):
    """Where records with the same keys hold what: in one key (`plain`), or in the first of several."""

    plain: tuple[tuple[str, str], ...]
    fields: tuple[tuple[str, tuple[Value, ...]], ...]
    columns: tuple[Value, ...]

    def held(self) -> list[str]:
        """Return the names of the fields that are found."""
        return [name for name, _ in (*self.plain, *self.fields)]


@dataclass(slots=True)
class RecordReader:
    """Reads records as one profile declares.

    `unknown` collects keys that no field has and that the profile does not ignore; `read` which key each
    field was found under.
    """

    profile: RecordProfile
    unknown: dict[str, None] = field(default_factory=dict)
    read: dict[str, dict[str, None]] = field(default_factory=dict)
    _plans: dict[tuple[str, ...], Plan] = field(default_factory=dict)
    _disciplines: dict[str, str | None] = field(default_factory=dict)
    _secondaries: dict[tuple[str, str | None], tuple[str, str] | None] = field(default_factory=dict)
    _kinds: dict[str, tuple[QuestionKind | None, bool] | None] = field(default_factory=dict)

    def entry(self, record: Any) -> Entry | Refused:
        """Return what a record holds, or why it cannot be a question."""
        if not isinstance(record, dict):
            return Refused(Reason.NO_OBJECT)
        keys = tuple(record)
        plan = self._plans.get(keys)
        if plan is None:
            plan = self._plans.setdefault(keys, self._planned(keys))
        known = self._known(record)
        if known.left_out is not None:
            return Refused(Reason.LEFT_OUT, known.left_out)
        values = {name: record.get(key) for name, key in plan.plain}
        for name, ways in plan.fields:
            values[name] = first_of(record, ways)
        draft = self._draft(record, plan, values, known)
        if isinstance(draft, Refused):
            return draft
        disciplines = self._discipline(values, known)
        if isinstance(disciplines, Refused):
            return disciplines
        uuid = values.get("uuid")
        if uuid is not None:
            try:
                uuid = str(UUID(uuid))
            except (ValueError, AttributeError, TypeError):
                return Refused(Reason.UUID)
        parent, made_by = (text_of(values.get(name)) or None for name in ("parent", "made_by"))
        return Entry(draft, *disciplines, uuid, parent, made_by)

    def fields_of(self, keys: Sequence[str]) -> frozenset[str]:
        """Return which fields records with these keys would hold."""
        return frozenset(RecordReader(self.profile)._planned(tuple(keys)).held())

    def _planned(self, keys: tuple[str, ...]) -> Plan:
        by_name = {_name(key): key for key in reversed(keys)}
        used: set[str] = set()
        fields: dict[str, tuple[Value, ...]] = {}
        plain: dict[str, str] = {}
        for each in FIELDS:
            ways, only = [], ""
            for name in getattr(self.profile, each):
                top, _, below = name.partition(".")
                key = by_name.get(_name(top))
                if key is not None:
                    ways.append(way_to(key, below))
                    only = "" if below else key
                    used.add(key)
                    self.read.setdefault(each, {})[key if not below else f"{key}.{below}"] = None
            if ways:
                fields[each] = tuple(ways)
            if len(ways) == 1 and only:
                plain[each] = only
        columns: list[Value] = []
        for names in self.profile.option_columns if "options" not in fields else ():
            found = [by_name[_name(name)] for name in names if _name(name) in by_name]
            if len(found) > 1:
                columns = [way_to(key, "") for key in found]
                used.update(found)
                self.read.setdefault("options", {}).update(dict.fromkeys(found))
                break
        ignored = {_name(name) for name in self.profile.ignored}
        self.unknown.update((key, None) for key in keys if key not in used and _name(key) not in ignored)
        several = tuple((name, ways) for name, ways in fields.items() if name not in plain)
        return Plan(tuple(plain.items()), several, tuple(columns))

    def _known(self, record: Mapping[str, Any]) -> Known:
        cases = self.profile.cases
        if cases is None:
            return self.profile.defaults
        value = str(record.get(cases.of))
        return cases.are.get(value) or Known(left_out=f"it does not list {cases.of} {value[:60]!r}")

    def _draft(
        self, record: Mapping[str, Any], plan: Plan, values: Mapping[str, Any], known: Known
    ) -> Draft | Refused:
        made: list[str] = []
        if plan.columns:
            options: list[str] | Refused = columns_of([text_of(way(record)) for way in plan.columns])
        else:
            options = options_of(values.get("options"))
            if not isinstance(options, Refused) and options:
                options = unlettered(options, made)
        if isinstance(options, Refused):
            return options
        kind, single = known.kind, False
        said = values.get("kind")
        if said is not None:
            found = self._kind(str(said))
            if found is None:
                return Refused(Reason.KIND, repr(str(said)[:60]))
            kind, single = found
        key = self._key(values.get("key"), options)
        if isinstance(key, Refused):
            return key
        explanation = text_of(values.get("explanation"))
        if isinstance(key, str):
            key, explanation = self._final(key, explanation)
        return Draft(
            stem=text_of(values.get("stem")),
            key=key,
            options=options,
            explanation=explanation,
            passage=text_of(values.get("passage")) or None,
            kind=kind,
            single=single,
            repairs=made,
        )

    def _key(self, value: Any, options: Sequence[str]) -> str | list[str] | Refused | None:
        if isinstance(value, bool) or value is None:
            return None if value is None else str(value)
        if isinstance(value, int) and options:
            if self.profile.index_from is None:
                return Refused(Reason.KEY_UNREADABLE, "a number: say in a profile from what it counts")
            place = value - self.profile.index_from
            return LETTERS[place] if 0 <= place < len(options) else Refused(Reason.KEY_BEYOND)
        if isinstance(value, list):
            return [text_of(each) for each in value]
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
                ((each.kind, each.single) for each in kind_words() if name in each.words), None
            )
        return self._kinds[text]

    def _discipline(self, values: Mapping[str, Any], known: Known) -> tuple[str | None, str | None] | Refused:
        code, below = known.discipline, known.secondary
        said = text_of(values.get("discipline"))
        if said:
            if said not in self._disciplines:
                self._disciplines[said] = _or_none(lambda: find_discipline(said).code)
            code = self._disciplines[said]
            if code is None:
                return Refused(Reason.DISCIPLINE, repr(said[:60]))
            below = below if code == known.discipline else None
        said_below = text_of(values.get("secondary"))
        if said_below:
            wanted = (said_below, code)
            if wanted not in self._secondaries:
                self._secondaries[wanted] = _or_none(lambda: _below(said_below, code))
            found = self._secondaries[wanted]
            if found is None:
                return Refused(Reason.DISCIPLINE, repr(said_below[:60]))
            code, below = found
        return code, below


def _below(text: str, code: str | None) -> tuple[str, str]:
    found = find_secondary(text, code)
    return found.primary, found.code


def _or_none(find: Callable[[], Any]) -> Any:
    try:
        return find()
    except InvalidInput:
        return None


def _name(key: str) -> str:
    return key.strip().casefold().replace(" ", "_").replace("-", "_")
