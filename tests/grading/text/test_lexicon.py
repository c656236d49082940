"""Word lists of the auto-checks: every list compiles, phrases are bounded and match as documented."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from assay.grading.text.lexicon import Phrases, phrase, phrases, read

FOLDER = files("assay.grading") / "lexicon"
LISTS = [
    (file.name.removesuffix(".txt"), section)
    for file in FOLDER.iterdir()
    if file.name.endswith(".txt")
    for section in read(file.read_text("utf-8"), file.name)
]


@pytest.mark.parametrize(("file", "section"), LISTS)
def test_every_list_of_the_package_compiles(file: str, section: str) -> None:
    """Each phrase is a pattern that begins with a word."""
    assert phrases(file, section).phrases


@pytest.mark.parametrize(("file", "section"), LISTS)
@pytest.mark.parametrize("unit", ["i ", "the a ", "not, ", "it is not the ", "\n", "use x ", "nothing"])
def test_no_phrase_repeats_without_end(file: str, section: str, unit: str) -> None:
    """A long text of one repeated piece is read; unbounded repetition in a phrase would not come back."""
    assert len(list(phrases(file, section).find(unit * 2_000))) <= 20_000


def first(line: str, text: str) -> str | None:
    """Return what a phrase finds in a text."""
    found = next(phrases_of(line, text), None)
    return found[0] if found else None


def phrases_of(line: str, text: str) -> object:
    """Yield the matches of one phrase."""
    compiled = phrase(line, {"thing": ["paper", "book"]}, "test")
    return (
        match
        for head in compiled.heads
        for at in [found.start() for found in re.finditer(rf"\b{re.escape(head)}", text)]
        if (match := compiled.pattern.match(text, at))
    )


@pytest.mark.parametrize(
    ("line", "text", "found"),
    [
        ("turns up nothing", "it turns\n up  nothing.", "turns\n up  nothing"),
        ("(can't|cannot) place (it|that)", "i cannot place that", "cannot place that"),
        ("(so )?let's not", "let's not", "let's not"),
        ("no {thing}", "there is no book of it", "no book"),
        ("rather ... than guess", "i would rather say so than guess", "rather say so than guess"),
        ("rather ... than guess", "rather one two three four five six seven than guess", None),
        ("rather ... than guess", "rather not. more than guess", None),
        ("no book", "no books", None),
    ],
)
def test_a_phrase_matches_as_its_readme_says(line: str, text: str, found: str | None) -> None:
    """Spaces, alternatives, optional words, references, gaps and whole words."""
    assert first(line, text) == found


@pytest.mark.parametrize("line", ["[a-z]+ book", "(a )?", "\\d books", "..."])
def test_a_phrase_that_can_begin_without_a_word_is_refused(line: str) -> None:
    """Its places could not be looked up."""
    with pytest.raises(ValueError, match="can begin without a word"):
        phrase(line, {}, "test")


def test_a_broken_phrase_and_a_missing_list_are_refused() -> None:
    """The message names the file, and the phrase or the lists there are."""
    with pytest.raises(ValueError, match=r"test.txt: 'a \(b' "):
        phrase("a (b", {}, "test")
    with pytest.raises(ValueError, match=r"limits.txt has no list \[nowhere\]: it has \['limits'"):
        phrases("limits", "nowhere")
    with pytest.raises(ValueError, match="line 1: a phrase stands before the first list"):
        read("a phrase", "test")


def test_phrases_are_found_between_two_places_and_not_inside_words() -> None:
    """Nor after a hyphen."""
    limits = phrases("limits", "self")
    assert sorted(found[0] for found in limits.find("my shi i-me and me")) == ["i", "me", "my"]
    assert limits.first("me and you", 2) is None


def test_matches_come_in_the_same_order_in_every_process() -> None:
    """A phrase with many first words yields its matches by first word, not in the order of a set."""
    words = [f"w{number:02}" for number in range(40)]
    made = Phrases((phrase(f"({'|'.join(words)})", {}, "made up"),))
    found = [match[0] for match in made.find(" ".join(reversed(words)))]
    assert found == words
