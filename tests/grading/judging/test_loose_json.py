"""The recovering reader of JSON objects: what it accepts beyond JSON, what it refuses, its bounded work."""

from __future__ import annotations

import json

import pytest
from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.grading.judging.loose_json import (
    LooseList,
    LooseObject,
    MalformedJson,
    ParseBudget,
    budget_for,
    object_at,
    objects,
    values_of,
)


def plain(value: object) -> object:
    """Return a value as `json` would."""
    if isinstance(value, LooseObject):
        return {name: plain(inner) for name, inner in value.pairs}
    if isinstance(value, LooseList):
        return [plain(item) for item in value.items]
    return value


def read(text: str) -> object:
    """Return the object at the start of a text as `json` would."""
    return plain(object_at(text, 0, budget_for(text)))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4), st.booleans(), st.sampled_from([None, 2]))
def test_json_is_read_as_json(made: dict[str, object], ascii_only: bool, indent: int | None) -> None:
    """Whatever the library writes, escaped or not, on one line or indented."""
    assert read(json.dumps(made, ensure_ascii=ascii_only, indent=indent)) == made


@every_row(
    "text, value",
    [
        ('{"a": 1,}', {"a": 1}),
        ('{"a": [1, 2,],}', {"a": [1, 2]}),
        ("{'a': 'it said \"b\"'}", {"a": 'it said "b"'}),
        ("{a: 1, _b2: 2}", {"a": 1, "_b2": 2}),
        ("{“a”: “b”}", {"a": "b"}),
        ("{„a“: „b“}", {"a": "b"}),
        ("{‘a’: ‘b’}", {"a": "b"}),
        ('{"a": "b\nc"}', {"a": "b\nc"}),
        (r'{"a": "\(\alpha\) \underline{x}"}', {"a": r"\(\alpha\) \underline{x}"}),
        (r"{'a': 'it\'s'}", {"a": "it's"}),
        ('{"a": True, "b": None, "c": -1.5e2}', {"a": True, "b": None, "c": -150.0}),
        ('{"a": "\\ud83d\\ude00"}', {"a": "😀"}),
        ("{}", {}),
        ("{ }", {}),
    ],
)
def test_what_models_write_is_read(text: str, value: object) -> None:
    """Trailing commas, other quotation marks, bare keys, raw line breaks, LaTeX, Python's constants."""
    assert read(text) == value


@every_row(
    "text",
    [
        '{"a": 1',
        '{"a": "b',
        '{"a": "b" "c": 1}',
        '{"a": "it says "b" here"}',
        '{"a": 1,, "b": 2}',
        "{,}",
        '{"a" 1}',
        '{"a": b}',
        '{"a": 01}',
        '{"a": +1}',
        '{"a": NaN}',
        '{"a": 1 /* b */}',
        '{"a": 1 // b\n}',
        "{'a\": 1}",
        '{"a": [1}',
        '{"a": ٤}',
        "{а: 1}",
        '{"a": ' + "9" * 50 + "}",
        '{"a":' * 30 + "1" + "}" * 30,
    ],
)
def test_what_could_be_read_two_ways_is_malformed(text: str) -> None:
    """Unfinished objects, missing commas, unescaped quotation marks, comments, bare words, deep nesting."""
    with pytest.raises(MalformedJson):
        read(text)


def test_a_spent_budget_ends_the_reading() -> None:
    """Nothing more is looked at."""
    with pytest.raises(MalformedJson):
        object_at('{"a": 1}', 0, ParseBudget(10))
    assert objects('{"a": 1}', ParseBudget(0)) == []


def test_the_outermost_objects_are_found_from_left_to_right() -> None:
    """What is broken is passed over, and what stands within an object is not counted again."""
    text = 'so {x} {"a": {"b": 1}} and {"c": 2'
    text += ' {"d": 3}'
    assert [plain(found) for found in objects(text, budget_for(text))] == [{"a": {"b": 1}}, {"d": 3}]


def test_values_are_found_under_a_key_at_every_depth() -> None:
    """In lists and inner objects, doubled and in any case, in the order of the text at each depth."""
    text = '{"score": 1, "x": [{"Score": 2}], "SCORE": 3, "y": {"z": {"score": 4}}}'
    assert values_of(object_at(text, 0, budget_for(text)), "score") == [1, 3, 2, 4]
