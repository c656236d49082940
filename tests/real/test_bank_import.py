"""The real question files become questions of the bank, every record accounted for."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from sqlalchemy import Engine

from assay.bank.ingest import IngestOptions, import_file
from assay.core.sealed import key_about, read_key
from assay.files.sealing import KeySealer
from assay.questions.refusal import Reason
from assay.results.bank_import import Account, Fate
from assay.store.bank.questions import walk_questions

SEALER = KeySealer(bytes(32))

pytestmark = [pytest.mark.real, pytest.mark.slow]


def take(engine: Engine, path: Path, discipline: str | None = None) -> Account:
    """Import a file at a fixed time."""
    return import_file(engine, path, IngestOptions(discipline=discipline), sealer=SEALER, clock=lambda: 1.0)


def test_agieval(shared_data: Path, sqlite: Engine) -> None:
    """8,269 records: 206 that lack their passage are left out, 65 repeat another, 59 have a defect."""
    account = take(sqlite, shared_data / "agieval_v1.jsonl.zst")
    assert (account.profile, account.read) == ("agieval", 8269)
    assert account.fates == {Fate.QUESTION: 7939, Fate.REPEATED: 65, Fate.REJECT: 265}
    assert account.reasons == {
        str(Reason.LEFT_OUT): 206,
        str(Reason.OPTION_ORDER): 38,
        str(Reason.SAME_OPTIONS): 10,
        str(Reason.OPTION_TWICE): 3,
        str(Reason.EMPTY_OPTION): 2,
        str(Reason.OTHER_KEY): 2,
        str(Reason.NO_BLANK): 1,
        str(Reason.BLANKS): 1,
        str(Reason.LOST): 1,
        str(Reason.NO_KEY): 1,
    }
    assert account.kinds == {"multiple-choice": 6825, "short-answer": 1000, "fill-in-the-blank": 114}


def test_agieval_s_keys_and_options(shared_data: Path, sqlite: Engine) -> None:
    """No option keeps its letter, and every key names options that are there."""
    take(sqlite, shared_data / "agieval_v1.jsonl.zst")
    for stored in walk_questions(sqlite, disciplines=["law"]):
        options = stored.question.options
        assert not any(option.startswith(("(A)", "(B)", "（A）", "A．")) for option in options)
        letters = read_key(SEALER.open(stored.sealed, key_about(stored.question.uuid, 1))).answers
        assert 1 <= len(letters) <= len(options)


@pytest.mark.parametrize(("file", "count"), [("gsm8k_test", 1319), ("gsm8k_train", 7473)])
def test_gsm8k(shared_data: Path, sqlite: Engine, file: str, count: int) -> None:
    """Every record is a question; keys are bare numbers, explanations free of the calculator's notes."""
    account = take(sqlite, shared_data / f"{file}.jsonl.zst")
    assert account.fates == {Fate.QUESTION: count}
    for stored in islice(walk_questions(sqlite), 300):
        key = read_key(SEALER.open(stored.sealed, key_about(stored.question.uuid, 1)))
        float(key.answers[0].replace(",", ""))
        assert "<<" not in key.explanation


def test_triviaqa(shared_data: Path, sqlite: Engine) -> None:
    """7,200 rows of model answers hold 585 questions; the other rows repeat them."""
    account = take(sqlite, shared_data / "triviaqa_judges_items.jsonl.zst", "literature")
    assert account.fates == {Fate.QUESTION: 585, Fate.REPEATED: 6615}
