"""The labelled files of the large bank: filling and planted copies, and how the check judged them."""

from __future__ import annotations

import json
import random
import re
import time
import unicodedata
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

import zstandard
from sqlalchemy import Engine, select

from assay.bank.redundancy import Redundancy
from assay.core.question import QuestionKind
from assay.store.bank.questions import questions_by_id, walk_questions
from assay.store.engine import reading
from assay.store.schema_bank import rejects
from bank_filling import WORDS, Filled, filling
from bank_planted import AMBIGUOUS, DISTINCT, NEAR, Edit
from bank_slips import HAN, Text

GROUPS: dict[str, tuple[dict[str, Edit], int]] = {
    "near": (NEAR, 200),
    "distinct": (DISTINCT, 600),
    "ambiguous": (AMBIGUOUS, 100),
}
"""Which copies are planted, and how many of each kind: half of real questions, half of synthetic ones."""

FILLING_SEED = 7
TRIES = 20_000
KNOWN = 3
OTHER_WORD = "slip into another word"
WORD = re.compile("[a-z]+")
ADDITIONS = frozenset(WORD.findall(" ".join([*WORDS["preambles"]["en"], *WORDS["added"]["en"]]).lower()))
KEYS = {QuestionKind.MULTIPLE_CHOICE: ["A"], QuestionKind.TRUE_OR_FALSE: ["True"]}


def make_more(folder: Path, more: int) -> None:
    """Write more.jsonl, the filling that continues after the end of filling.jsonl."""
    told = json.loads((folder / "labels.json").read_text())
    made = islice(filling(told["filled"] + more, random.Random(FILLING_SEED)), told["filled"], None)
    _write(folder / "more.jsonl", (_record(each, str(uuid.uuid4())) for each in made))


def make_files(folder: Path, engine: Engine, whole: int, rng: random.Random) -> None:
    """Write filling.jsonl, planted.jsonl and labels.json for a bank of real questions."""
    real, stored = [], 0
    for each in walk_questions(engine):
        stored += 1
        question = each.question
        if each.family == each.id and question.passage is None:
            text = Text(question.stem, question.options, bool(HAN.search(question.stem)))
            real.append((question.uuid, text, question.kind, question.discipline))
    copies = sum(count * len(kinds) for kinds, count in GROUPS.values())
    filled = list(filling(whole - stored - copies, random.Random(FILLING_SEED)))
    names = [str(uuid.UUID(int=rng.getrandbits(128), version=4)) for _ in filled]
    made = [
        (name, Text(each.stem, each.options, each.language == "zh", each), each.kind, each.discipline)
        for name, each in zip(names, filled, strict=True)
    ]
    planted, labels = _planted(real, made, rng)
    _write(folder / "filling.jsonl", (_record(*pair) for pair in zip(filled, names, strict=True)))
    _write(folder / "planted.jsonl", planted)
    (folder / "labels.json").write_text(json.dumps({"filled": len(filled), "labels": labels}))


Base = tuple[str, Text, QuestionKind, str]


def _planted(
    real: list[Base], made: list[Base], rng: random.Random
) -> tuple[list[dict[str, Any]], list[list[str]]]:
    """Return the records of planted copies, each with group, kind, origin, and uuids of base and copy."""
    records, labels = [], []
    known = _known_words(text.stem for _, text, *_ in (*real, *made))
    for pool, origin in ((real, "real"), (made, "synthetic")):
        left = rng.sample(pool, len(pool))
        for group, (kinds, count) in GROUPS.items():
            for kind, edit in kinds.items():
                got = tried = 0
                unfit = []
                while left and got < count // 2 and tried < TRIES:
                    tried += 1
                    base, text, sort, discipline = left.pop()
                    copy = edit(text, rng)
                    if copy is None or copy[:2] == text[:2]:
                        unfit.append((base, text, sort, discipline))
                        continue
                    got += 1
                    name = str(uuid.UUID(int=rng.getrandbits(128), version=4))
                    records.append(_told(name, sort, discipline, copy.stem, copy.options))
                    if "slip" in kind and _other_words(text.stem, copy.stem, known):
                        labels.append([group, OTHER_WORD, origin, copy.language, base, name])
                    else:
                        labels.append([group, kind, origin, copy.language, base, name])
                left = unfit + left
    return records, labels


def _known_words(stems: Iterable[str]) -> set[str]:
    """Return the English words that occur in at least three stems."""
    counts = Counter(word for stem in stems for word in set(WORD.findall(stem.lower())))
    return {word for word, count in counts.items() if count >= KNOWN}


def _other_words(base: str, copy: str, known: set[str]) -> bool:
    """Return whether an edit turned an English word into another word of the bank, as in many and may."""
    new = set(WORD.findall(copy.lower())) - set(WORD.findall(base.lower()))
    gone = set(WORD.findall(base.lower())) - set(WORD.findall(copy.lower()))
    return any(len(word) > 2 and word in known and word not in ADDITIONS for word in new) and bool(gone)


def _record(filled: Filled, name: str) -> dict[str, Any]:
    return _told(name, filled.kind, filled.discipline, filled.stem, filled.options)


def _told(
    name: str, kind: QuestionKind, discipline: str, stem: str, options: Sequence[str]
) -> dict[str, Any]:
    return {
        "uuid": name,
        "kind": kind.value,
        "discipline": discipline,
        "stem": stem,
        "options": list(options),
        "answers": KEYS.get(kind, ["as planted"]),
    }


def _write(path: Path, records: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def judged(
    engine: Engine, folder: Path, found: Redundancy, filled: Sequence[int], planting: int
) -> dict[str, Any]:
    """Return recall by kind, and false flags among pairs that are labelled distinct.

    `filled` are the sources of the filling and `planting` that of the copies. A copy that the import itself
    recognised as a question of the bank counts as found; a copy that it rejected is left out.
    """
    labels = json.loads((folder / "labels.json").read_text())["labels"]
    copies = {copy for *_, copy in labels}
    kept = {each.question.uuid for each in walk_questions(engine) if each.question.uuid in copies}
    flagged, refused = _flagged(engine, found), _refused(engine, planting)
    tallies: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    planted: set[frozenset[str]] = set()
    for line, (group, kind, origin, language, base, copy) in enumerate(labels, start=1):
        if f"line {line}" in refused:
            continue
        pair = frozenset((base, copy))
        planted.add(pair)
        hit = pair in flagged or (group == "near" and copy not in kept)
        for key in (kind, f"all {origin}", f"all {language}", "all"):
            tallies[group][key]["of"] += 1
            tallies[group][key]["flagged"] += hit
            tallies[group][key]["found by the import"] += copy not in kept
    near, others = tallies["near"]["all"], tallies["near"][OTHER_WORD]
    missed = near["of"] - near["flagged"] - others["of"] + others["flagged"]
    named = near["of"] - others["of"]
    synthetic = {each.question.uuid for number in filled for each in walk_questions(engine, source=number)}
    false = [pair for pair in flagged - planted if pair <= synthetic]
    return {
        **{group: {kind: dict(tally) for kind, tally in kinds.items()} for group, kinds in tallies.items()},
        "copies_refused_by_the_import": len(refused),
        "pairs_within_the_filling": len(false),
        "pairs_of_real_questions": sum(not (pair & (copies | synthetic)) for pair in flagged),
        "recall_but_for_slips_into_other_words": round(1 - missed / named, 4),
        "recall": round(near["flagged"] / near["of"], 4),
        "false_flags": round(tallies["distinct"]["all"]["flagged"] / tallies["distinct"]["all"]["of"], 5),
    }


def _flagged(engine: Engine, found: Redundancy) -> set[frozenset[str]]:
    """Return the pairs as the uuids of their families' originals."""
    stored = questions_by_id(engine, {number for pair in found.pairs for number in pair[:2]})
    originals = questions_by_id(engine, {each.family for each in stored.values()})
    names = {number: originals[each.family].question.uuid for number, each in stored.items()}
    return {frozenset((names[pair.question], names[pair.other])) for pair in found.pairs}


def _refused(engine: Engine, source: int) -> set[str]:
    query = select(rejects.c.place).where(rejects.c.source == source)
    with reading(engine) as connection:
        return set(connection.execute(query).scalars())


def plain_reading(files: Sequence[Path]) -> float:
    """Return the processor seconds of reading, normalising and hashing the strings of every line once."""
    started = time.process_time()
    for path in files:
        if path.suffix == ".zst":
            with path.open("rb") as packed, zstandard.ZstdDecompressor().stream_reader(packed) as opened:
                text = opened.read().decode()
        else:
            text = path.read_text(encoding="utf-8")
        for line in filter(None, text.split("\n")):
            told = json.loads(line)
            joined = " ".join(each for each in told.values() if isinstance(each, str))
            blake2b(unicodedata.normalize("NFKC", joined).casefold().encode(), digest_size=16).digest()
    return time.process_time() - started
