"""The overlap of questions with a folder of texts, read once and in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from assay.core.errors import AssayError
from assay.core.wording import counted
from assay.files.text_folder import text_blocks, text_files
from assay.questions.overlap import CHARACTERS, WORDS, OverlapIndex, QuestionText, shared_text
from assay.results.overlap import MOSTLY, Overlap, QuestionOverlap

SHOWN_FAULTS: Final = 5


def find_overlap(
    source: str,
    questions: Iterable[QuestionText],
    against: Path,
    *,
    words: int = WORDS,
    characters: int = CHARACTERS,
    show: bool = False,
) -> Overlap:
    """Return which questions share n-grams with the texts of a folder, the largest share first.

    `source` names the questions; a file of this name is not compared with itself. The questions' own texts
    are in the result only with `show`. Raises what `text_files` raises, before the questions are read.
    """
    files, others = text_files(against)
    own = Path(source)
    kept = [path for path in files if not (own.is_file() and path.samefile(own))]
    notes = [f"{counted(others, 'other file')} left out: not a kind of text file"] if others else []
    if len(kept) < len(files):
        notes.append(f"{source} is the source itself and was not compared with itself")
    index = OverlapIndex(words, characters)
    ids: list[str] = []
    texts: list[QuestionText] = []
    for question in questions:
        index.add(question)
        ids.append(question.id)
        if show:
            texts.append(question)
    index.close()
    size, faults = _read_files(index, kept)
    notes += faults
    names = [_name(path, against) for path in kept]
    rows = [
        QuestionOverlap(
            ids[row.question],
            "characters" if row.characters else "words",
            row.ngrams,
            row.seen,
            row.longest.length,
            names[row.longest.file],
            row.longest.line,
            shared_text(texts[row.question], row.longest) if show else None,
        )
        for row in index.overlaps()
    ]
    rows.sort(key=lambda row: (-row.share, -row.longest, row.question))
    return Overlap(
        source,
        str(against),
        words,
        characters,
        len(ids),
        len(ids) - index.tested,
        index.phrases,
        len(kept) - len(faults),
        size,
        sum(row.share >= MOSTLY for row in rows),
        tuple(rows),
        tuple(notes[: SHOWN_FAULTS + 2]),
    )


def _read_files(index: OverlapIndex, files: list[Path]) -> tuple[int, list[str]]:
    """Read files into the index; return the characters read, and a note on each file that was given up."""
    size = 0
    faults: list[str] = []
    for number, path in enumerate(files):
        try:
            for line, block in text_blocks(path):
                index.read(block, number, line)
                size += len(block)
        except (AssayError, OSError) as error:
            faults.append(f"{path} was not read to its end: {error}")
    if len(faults) > SHOWN_FAULTS:
        more = f"{counted(len(faults) - SHOWN_FAULTS + 1, 'more file')} could not be read to the end"
        return size, [*faults[: SHOWN_FAULTS - 1], more]
    return size, faults


def _name(path: Path, against: Path) -> str:
    return path.name if path == against else path.relative_to(against).as_posix()
