"""Finding and parsing the JSON in an answer."""

import json

from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.grading.fields.document import DuplicateValues, find_document


@every_row(
    "answer, where",
    [
        ('{"a": 1}', "the whole answer"),
        ('\n {"a": 1}\n', "the whole answer"),
        ('Here:\n```json\n{"a": 1}\n```\nDone.', "a fenced block"),
        ('```\n{"a": 1}\n```', "a fenced block"),
        ('```json\n{"a": 1}', "a fenced block"),
        ('Sure {as asked}: {"a": 1}. Bye {x}', "in the text"),
        ('{"a": 1} is my answer', "in the text"),
        ('```python\nx = {"a": 2}\n```\n```json\n{"a": 1}\n```', "a fenced block"),
        ('First {"a": 2}, corrected: {"a": 1}', "in the text"),
    ],
)
def test_the_document_is_found(answer: str, where: str) -> None:
    """Bare, fenced or in prose, the last document counts."""
    found = find_document(answer)
    assert (found.root, found.where) == ({"a": 1}, where)


@every_row(
    "answer, error",
    [
        ("no braces", "no JSON object in the answer"),
        ("", "no JSON object in the answer"),
        ("[1, 2]", "no JSON object in the answer"),
        ('{"a": 1,}', "a trailing comma at line 1 column"),
        ('{"a": {"b": 1}, "c": 2', "breaks off"),
        ('{"items": [{"a": 1,}, {"a": 2}]}', "a trailing comma"),
        ("{'a': 1}", "no JSON object in the answer"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": 1 "b": 2}', "Expecting ',' delimiter at line 1 column 9"),
        ('{"a":' * 100_000, "too deeply"),
        ('{"a": ' + "9" * 5000 + "}", "digits"),
    ],
)
def test_what_is_no_json_is_not_repaired(answer: str, error: str) -> None:
    """Broken, truncated or monstrous JSON is an error that says where; no part of it is taken instead."""
    assert error in find_document(answer).error


def test_trailing_commas_are_overlooked_where_declared() -> None:
    """The repair touches commas before a closing bracket, and no text."""
    found = find_document('{"a": [1, 2,], "b": ",}",}', trailing_commas=True)
    assert (found.root, found.repaired) == ({"a": [1, 2], "b": ",}"}, True)


def test_sound_json_is_not_called_repaired() -> None:
    """Declaring the repair changes nothing where none is needed."""
    assert not find_document('{"a": 1}', trailing_commas=True).repaired


def test_duplicate_keys_that_differ_are_kept_apart() -> None:
    """A key with two values holds neither; one said twice alike is only reported."""
    found = find_document('{"a": 1, "a": 2, "b": 3, "b": 3}')
    assert found.root == {"a": DuplicateValues((1, 2)), "b": 3}
    assert found.duplicates == ["a", "b"]


def test_an_array_is_looked_for_where_declared() -> None:
    """With `array`, objects around or inside do not count as the document."""
    assert find_document('Result [see {"a": 1}]: [{"a": 1}]', array=True).root == [{"a": 1}]


def test_many_open_brackets_end() -> None:
    """A flood of brackets costs bounded time."""
    assert find_document('{"' * 50_000).error


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@given(
    st.dictionaries(st.text(max_size=8), values, max_size=5),
    st.sampled_from(["{}", "```json\n{}\n```", "Here: {}"]),
)
def test_json_round_trips(document: dict[str, object], dress: str) -> None:
    """Whatever is written as JSON is found again, in any dress."""
    written = json.dumps(document)
    found = find_document(dress.replace("{}", written))
    assert found.root == document


@given(st.text(alphabet='{}[]",:ab1 \\\n`', max_size=120))
def test_any_bracket_salad_gets_an_answer(text: str) -> None:
    """No text makes the search fail."""
    assert find_document(text).root is not None or find_document(text).error
