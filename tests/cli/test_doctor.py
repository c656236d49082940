"""`assay doctor`: findings, never crashes."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Assay, Ended, Served, write_workspace

from assay.sandbox.choose import open_sandbox
from assay.store.engine import open_database
from assay.store.locks import Holder, take_lock


def states(ended: Ended) -> dict[str, str]:
    """Return the worst state of each check."""
    checks: dict[str, str] = {}
    for check in ended.json["checks"]:
        order = ("ok", "warn", "fail")
        checks[check["check"]] = max(checks.get(check["check"], "ok"), check["state"], key=order.index)
    return checks


def test_a_workspace_that_works_is_ready(folder: Path, upstream: Served, assay: Assay) -> None:
    """Everything needed is there: status 0, and no line fails; the sandbox has really run code."""
    write_workspace(folder, upstream, "watch: {suite: small, models: [mine/a/b]}\n")
    ended = assay("doctor", "--json")
    assert ended.status == 0
    assert {check for check, state in states(ended).items() if state != "ok"} <= {"board"}
    assert {"python", "workspace", "provider", "suite", "database", "sandbox"} <= set(states(ended))
    assert "ready" in assay("doctor").out


def test_the_boards_judges_are_checked(folder: Path, upstream: Served, assay: Assay) -> None:
    """Judges without a key, without prices or not listed are warnings that name them; status stays 0."""
    write_workspace(folder, upstream)
    texts = " ".join(check["text"] for check in assay("doctor", "--json").json["checks"])
    assert "openrouter/openai/gpt-4.1" in texts and "cannot mark generalist" in texts
    write_workspace(folder, upstream, "judges: [mine/nobody]\ngeval: mine/a/b\n")
    ended = assay("doctor", "--json")
    checks = [check for check in ended.json["checks"] if check["check"] == "board"]
    assert (ended.status, {check["state"] for check in checks}) == (0, {"warn"})
    texts = " ".join(check["text"] for check in checks)
    assert "mine/nobody is not in the list of mine" in texts
    assert "no prices are known for mine/nobody" in texts


@pytest.mark.usefixtures("no_database")
def test_nothing_is_asked_of_a_model_and_nothing_is_written(
    folder: Path, upstream: Served, assay: Assay
) -> None:
    """The doctor makes no call that costs, and no database."""
    assay("doctor", "-m", "mine/a/b")
    assert upstream.calls == 0
    assert not (folder / "assay.db").exists()


def test_an_endpoint_that_is_down_ends_with_3(upstream: Served, folder: Path, assay: Assay) -> None:
    """A refused connection is a finding with the address; everything else is still looked at."""
    upstream.address = "http://127.0.0.1:1/v1"
    write_workspace(folder, upstream)
    ended = assay("doctor", "-m", "mine/a/b", "--json")
    assert ended.status == 3
    assert states(ended)["provider"] == "fail"
    assert "sandbox" in states(ended)


def test_an_endpoint_that_hangs_is_given_up(upstream: Served, assay: Assay, folder: Path) -> None:
    """An address that accepts and never answers fails after the time-out."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        upstream.address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        write_workspace(folder, upstream)
        ended = assay("doctor", "-m", "mine/a/b", "--timeout", "0.2", "--json")
    assert (ended.status, "no answer within 0.2 s" in ended.out) == (3, True)


def test_a_missing_key_names_the_variable_and_ends_with_2(
    upstream: Served, folder: Path, assay: Assay
) -> None:
    """Local problems determine the exit status before problems of services."""
    write_workspace(folder, upstream, api_key_env="MINE_API_KEY")
    ended = assay("doctor", "-m", "mine/a/b", "-m", "local/llama3", "--timeout", "1")
    assert ended.status == 2
    assert "MINE_API_KEY" in ended.out


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_told(upstream: Served, assay: Assay, status: int) -> None:
    """An endpoint that refuses is distinguished from one that does not answer."""
    upstream.models = status
    ended = assay("doctor", "-m", "mine/a/b")
    assert (ended.status, "refuses" in ended.out) == (2, True)


def test_openrouter_is_asked_for_the_key_itself(
    upstream: Served, folder: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its model list is open to anybody, so a wrong key shows only there; the key is never printed."""
    monkeypatch.setenv("OPENROUTER_BASE_URL", upstream.address)
    monkeypatch.setenv("OPENROUTER_API_KEY", "sesame-open")
    assert assay("doctor", "-m", "openrouter/a/b").status == 0
    upstream.key_status = 401
    ended = assay("doctor", "-m", "openrouter/a/b")
    assert (ended.status, "OPENROUTER_API_KEY" in ended.out) == (2, True)
    assert "sesame" not in ended.out + ended.err


def test_a_model_that_is_not_listed_is_a_warning(upstream: Served, assay: Assay) -> None:
    """The provider may serve it all the same, so nothing fails."""
    ended = assay("doctor", "-m", "mine/c", "--json")
    assert (ended.status, states(ended)["model"]) == (0, "warn")


def test_an_unpinned_watched_model_fails(folder: Path, assay: Assay) -> None:
    """A watch would refuse it, so the doctor says so before."""
    (folder / "assay.yaml").write_text("watch: {models: [openrouter/a/b]}\n")
    ended = assay("doctor", "--json", "--timeout", "0.2")
    assert (ended.status, states(ended)["pins"]) == (2, "fail")


def test_a_malformed_workspace_is_told_line_by_line(folder: Path, assay: Assay) -> None:
    """Each problem is a finding of its own; Python and sandbox are still looked at."""
    (folder / "assay.yaml").write_text("budgt: 1\nwatch: {schedule: x}\n")
    ended = assay("doctor", "--json")
    texts = [check["text"] for check in ended.json["checks"] if check["check"] == "workspace"]
    assert ended.status == 2
    assert len(texts) == 2
    assert "sandbox" in states(ended)


def test_a_suite_that_does_not_load_fails(folder: Path, assay: Assay) -> None:
    """The watched suite's problems are the doctor's."""
    (folder / "assay.yaml").write_text("watch: {suite: nowhere}\n")
    ended = assay("doctor", "--json")
    assert (ended.status, states(ended)["suite"]) == (2, "fail")


def test_a_lock_that_is_held_is_told_with_its_holder(folder: Path, assay: Assay) -> None:
    """A running watch is a warning that names it."""
    engine = open_database(str(folder / "assay.db"))
    take_lock(engine, "watch", Holder(7, "somewhere", None, None, "token"))
    engine.dispose()
    ended = assay("doctor")
    assert (ended.status, "process 7 on somewhere" in ended.out) == (0, True)


def test_a_database_of_another_version_fails(folder: Path, assay: Assay) -> None:
    """An older or newer schema is named with the commands that mend it."""
    from sqlalchemy import text

    from assay.store.engine import writing

    engine = open_database(str(folder / "assay.db"))
    with writing(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    engine.dispose()
    ended = assay("doctor")
    assert (ended.status, "assay db upgrade" in ended.out) == (2, True)


def test_a_webhook_without_its_variable_fails(folder: Path, assay: Assay) -> None:
    """The variable that `url_env` names must be set before the first alert is due."""
    (folder / "assay.yaml").write_text("notify: [{name: team, url_env: TEAM_URL}]\n")
    ended = assay("doctor")
    assert (ended.status, "TEAM_URL" in ended.out) == (2, True)


def test_without_a_sandbox_code_stays_ungraded(assay: Assay, monkeypatch: pytest.MonkeyPatch) -> None:
    """No usable sandbox is a warning that says what it means."""
    monkeypatch.setattr("assay.cli.checks.open_sandbox", lambda: open_sandbox(kinds=()))
    ended = assay("doctor", "--json")
    assert (ended.status, states(ended)["sandbox"]) == (0, "warn")
