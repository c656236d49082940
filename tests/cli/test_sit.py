"""`assay sit`: what it prints, how it ends, and what it never shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import Assay, Served, served, write_workspace
from exam_service import SECRET, SESSION, USER, ExamService, examining
from schemas import valid

QUESTIONS = [f"nonce-question-{number}-3a9d: True or False?" for number in range(1, 5)]


@pytest.fixture
def service() -> Iterator[ExamService]:
    """A session of four questions, served."""
    with examining(ExamService(list(QUESTIONS))) as exam:
        yield exam


@pytest.fixture
def model(folder: Path) -> Iterator[Served]:
    """A model that answers with nonces, in the workspace as the provider `mine`."""
    with served(lambda prompt, before: f"nonce-answer-{prompt[15]}-77c1") as made:
        write_workspace(folder, made)
        yield made


@pytest.fixture
def secret(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The candidate's secret in the environment."""
    monkeypatch.setenv("ASSAY_EXAM_SECRET", SECRET)


def line(service: ExamService, *more: str, name: str = "mine/a/b") -> list[str]:
    return ["sit", service.address, "--session", SESSION, "--model", name, "--user", USER, *more]


@pytest.mark.usefixtures("secret", "model")
def test_a_sitting_ends_with_receipts_cost_and_run(service: ExamService, assay: Assay) -> None:
    """Status 0, and on stderr the receipts, what it cost, and the run's number."""
    ended = assay(*line(service))
    assert (ended.status, ended.out) == (0, "")
    assert "run 1 finished: 4 of 4 questions done, 4 receipts, $0.0040" in ended.err


@pytest.mark.usefixtures("secret", "model")
def test_the_document_is_what_its_schema_says(service: ExamService, assay: Assay) -> None:
    """There is one document, whether the sitting finished or stopped."""
    broke = valid("sit", assay(*line(service, "--max-cost", "0.0015", "--json")))
    assert (broke["status"], broke["completed"], broke["asked"]) == ("stopped", 1, 1)
    assert broke["again"].startswith(f"assay sit {service.address} --session {SESSION}")
    done = valid("sit", assay(*line(service, "--json")))
    assert (done["status"], done["again"], len(done["receipts"]), done["run"]) == ("finished", None, 4, 1)


@pytest.mark.usefixtures("secret", "model")
def test_a_spent_budget_ends_with_3_and_the_command_that_goes_on(service: ExamService, assay: Assay) -> None:
    """The answers are kept, and the note names the same sitting."""
    ended = assay(*line(service, "--max-cost", "0.0015"))
    assert ended.status == 3
    assert f"Continue with: assay sit {service.address} --session {SESSION} --model mine/a/b" in ended.err


@pytest.mark.usefixtures("secret", "model")
@pytest.mark.parametrize(
    "fault", [{}, {"expire": 1}, {"unavailable": 1}, {"lose": {2}}, {"over_after": 2}, {"most_characters": 3}]
)
def test_no_question_answer_token_or_secret_is_ever_shown(
    service: ExamService, assay: Assay, folder: Path, fault: dict[str, Any]
) -> None:
    """Whatever goes wrong, output and messages hold nothing of what is private; nor does the run's plan."""
    for name, value in fault.items():
        setattr(service, name, value)
    ended = assay(*line(service, "--json"))
    shown = ended.out + ended.err + assay("runs", "--json").out
    for private in ("nonce-question", "nonce-answer", SECRET, "token-", *service.tokens):
        assert private not in shown
    assert SECRET.encode() not in b"".join(file.read_bytes() for file in folder.glob("*.db*"))


@pytest.mark.usefixtures("model")
def test_without_proof_of_who_sits_nothing_is_sent(service: ExamService, assay: Assay) -> None:
    """Neither secret nor token: status 2, and how to give one."""
    ended = assay(*line(service))
    assert ended.status == 2
    assert "ASSAY_EXAM_SECRET" in ended.err
    assert not service.served


@pytest.mark.usefixtures("model")
def test_a_wrong_secret_is_refused_without_being_shown(
    service: ExamService, assay: Assay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the variable and the user, not what stands in it."""
    monkeypatch.setenv("ASSAY_EXAM_SECRET", "wrong-secret-5e21")
    ended = assay(*line(service))
    assert (ended.status, "wrong-secret" in ended.err, USER in ended.err) == (2, False, True)


def test_no_option_takes_a_secret(assay: Assay) -> None:
    """Secrets come from the environment alone, where no list of processes shows them."""
    shown = assay("sit", "--help").out.lower()
    assert "--secret" not in shown
    assert "--token" not in shown


@pytest.mark.usefixtures("secret")
def test_simulated_models_can_sit_and_say_so(service: ExamService, assay: Assay, folder: Path) -> None:
    """A simulated model answers every question in its own way, labelled, and the run says that it is one."""
    service.questions[1] = "Choose.\n\nOptions:\nA. red\nB. green\nC. blue"
    document = valid("sit", assay(*line(service, "--json", name="simulated/steady")))
    assert (document["simulated"], document["completed"]) == (True, 4)
    texts = [body["text"] for body in service.answers.values()]
    assert all("Simulated" in text for text in texts)


@pytest.mark.usefixtures("secret", "model")
def test_a_sitting_is_resumed_by_its_run(service: ExamService, assay: Assay) -> None:
    """`assay resume` goes on with it and says by which command."""
    stopped = assay(*line(service, "--max-cost", "0.0015"))
    assert stopped.status == 3
    ended = assay("resume", "1", "--json")
    assert f"assay sit {service.address} --session {SESSION} --model mine/a/b" in ended.err
    assert (ended.status, valid("sit", ended)["completed"]) == (0, 4)
