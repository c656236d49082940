"""Word lists of the auto-checks: every list compiles, phrases are bounded and match as documented."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest
from every_row import every_row

from assay.grading.text.lexicon import (
    Phrases,
    WordList,
    compile_list,
    matches,
    phrase,
    phrases,
    read,
    starts,
    table,
)

FOLDER = files("assay.grading") / "lexicon"
FILES = {
    file.name.removesuffix(".txt"): read(file.read_text("utf-8"), file.name)
    for file in FOLDER.iterdir()
    if file.name.endswith(".txt")
}
LISTS = [(file, name, words_list) for file, lists in FILES.items() for name, words_list in lists.items()]
PHRASES = [(file, name) for file, name, words_list in LISTS if "phrases" in words_list.kinds]
NO_PATTERNS = {"phrases", "words", "single words", "table"}
PATTERNS = [(file, name) for file, name, words_list in LISTS if not NO_PATTERNS & words_list.kinds]
SOURCE = Path(str(files("assay.grading")))


@every_row("file, section", PHRASES)
def test_every_list_of_phrases_compiles(file: str, section: str) -> None:
    """Each phrase is a pattern that begins with a word."""
    assert phrases(file, section).phrases


@every_row("file, section", PATTERNS)
def test_every_pattern_compiles(file: str, section: str) -> None:
    """The lines of a list are alternatives of one regular expression."""
    assert compile_list(file, section)


@every_row("file, section, words_list", LISTS)
def test_no_line_is_repeated(file: str, section: str, words_list: WordList) -> None:
    """Neither a wording nor a word near which it is tried."""
    for written in (words_list.lines, *words_list.near.values()):
        assert len(set(written)) == len(written) > 0


@every_row("file, section", [(file, name) for file, name, lines in LISTS if "single words" in lines.kinds])
def test_single_words_are_sorted_and_given_once(file: str, section: str) -> None:
    """Their order means nothing, so a reader finds a word by its letters."""
    listed = " ".join(FILES[file][section].lines).split()
    assert listed == sorted(set(listed))


@every_row("file, section", [(file, name) for file, name, lines in LISTS if "table" in lines.kinds])
def test_a_row_of_a_table_says_what_its_left_side_stands_for(file: str, section: str) -> None:
    """Each left side stands once."""
    lefts = [left for left, right in table(file, section) if right]
    assert len(set(lefts)) == len(lefts) == len(FILES[file][section].lines)


def uses() -> set[tuple[str, str]]:
    """Return the file and the name of every list that the code, or another list, reads."""
    used = set()
    for module in SOURCE.rglob("*.py"):
        code = module.read_text("utf-8")
        for lexicon, file in re.findall(r'^(_[A-Z]+) = Lexicon\("(\w+)"\)', code, re.MULTILINE):
            names = re.findall(rf"{lexicon}\.(\w+)\b(?!\()", code)
            names += re.findall(rf'{lexicon}\.(?:near|places)\("([a-z ]+)"', code)
            used |= {(file, name.replace("_", " ")) for name in names}
        used |= set(re.findall(r'\b(?:phrases|words|single_words|table)\("(\w+)", "([a-z ]+)"\)', code))
        for file in re.findall(r'phrases\("(\w+)", name\)', code):
            quoted = re.findall(r'"([a-z ]+)"', code)
            used |= {(file, name) for name in quoted if name in FILES[file]}
    referred = {
        (file, name)
        for file, _, words_list in LISTS
        for line in words_list.lines
        for name in re.findall(r"\{([a-z ]+)\}", line)
    }
    return used | referred


def test_every_list_is_used_and_every_list_used_is_there() -> None:
    """A wording that nothing reads, or a name that no file has, would change no grade unnoticed."""
    listed = {(file, name) for file, name, _ in LISTS}
    assert listed - uses() == set()
    assert uses() - listed == set()


@every_row("file, section", PHRASES)
@every_row("unit", ["i ", "the a ", "not, ", "it is not the ", "\n", "use x ", "nothing"])
def test_no_phrase_repeats_without_end(file: str, section: str, unit: str) -> None:
    """A long text of one repeated piece is read; unbounded repetition in a phrase would not come back."""
    assert len(list(phrases(file, section).find(unit * 2_000))) <= 20_000


def first(line: str, text: str) -> str | None:
    """Return what a phrase finds in a text."""
    found = next(phrases_of(line, text), None)
    return found[0] if found else None


def phrases_of(line: str, text: str) -> object:
    """Yield the matches of one phrase."""
    compiled = phrase(line, {"thing": WordList(["paper", "book"])}, "test")
    return (
        match
        for head in compiled.heads
        for at in [found.start() for found in re.finditer(rf"\b{re.escape(head)}", text)]
        if (match := compiled.pattern.match(text, at))
    )


@every_row(
    "line, text, found",
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
    with pytest.raises(ValueError, match=r"limits.txt has no list \[nowhere\]: it has \['admits'"):
        phrases("limits", "nowhere")
    with pytest.raises(ValueError, match="line 1: a phrase comes before the first list"):
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


def test_words_before_a_trigger_are_places_too() -> None:
    """The word that holds a trigger and the two before it are places; brackets before a word are not."""
    low = 'so (we "do not know it'
    assert [low[place:].split()[0] for place in starts(low, ("not",), 2)] == ["we", "do", "not"]


def test_a_match_far_from_every_trigger_is_not_looked_for() -> None:
    """Only places near a trigger are tried."""
    pattern, low = re.compile(r"\bnot (?:sure|known)"), "not sure\nor not known"
    assert [found.start() for found in matches(pattern, low, starts(low, ("not known",), 0))] == [12]


def test_matches_do_not_overlap() -> None:
    """A place inside the last match starts none."""
    pattern, low = re.compile(r"\b(?:no|not) \w+ \w+"), "not no one no two three"
    assert [found[0] for found in matches(pattern, low, starts(low, ("no",), 1))] == [
        "not no one",
        "no two three",
    ]


def test_an_endless_word_is_cut() -> None:
    """A word of many thousand letters gives places, not an endless search."""
    assert len(starts("x" * 5_000 + "not", ("not",), 3)) <= 4
