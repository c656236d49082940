"""`assay model`: adding, listing, and prices that runs then use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command_line import Assay, Served, right

LISTED = [
    {
        "id": "a/b",
        "pricing": {"prompt": "0.000001", "completion": "0.000003", "input_cache_read": "0.0000005"},
    },
    {"id": "c", "pricing": {"prompt": "-1", "completion": "-1"}},
]


def without_cost(prompt: str, before: int) -> Any:
    """Answer rightly with token counts, and without a cost, as most endpoints do."""
    return {
        "choices": [{"message": {"content": right(prompt, before)}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 500},
    }


def test_an_added_model_keeps_the_comments_around_it(folder: Path, assay: Assay) -> None:
    """Every option arrives in the entry, and the file's own text stays."""
    (folder / "assay.yaml").write_text("# mine\nmodels:\n  - name: local/llama3   # at home\n")
    ended = assay(
        "model", "add", "openrouter/a/b", "--pin", "openai", "--organisation", "A", "--family", "f",
        "--series", "s", "--released", "2025-08-07", "--weights", "closed", "--prompt-price", "0.25",
        "--completion-price", "2", "--exclude", "small=its makers wrote it",
    )  # fmt: skip
    assert ended.status == 0
    text = (folder / "assay.yaml").read_text()
    assert text.startswith("# mine\n") and "# at home" in text
    added = assay("model", "list", "--json").json["models"][1]
    assert added == {
        "model": "openrouter/a/b",
        "prices": {"prompt": 0.25, "completion": 2.0, "cached": None, "request": 0.0, "cache_write": None},
        "origin": "workspace",
        "source": None,
        "at": None,
        "pin": ["openai"],
        "parameters": {},
        "organisation": "A",
        "family": "f",
        "series": "s",
        "released": "2025-08-07",
        "weights": "closed",
        "exclusions": [{"suite": "small", "reason": "its makers wrote it"}],
        "watched": False,
        "judge": False,
    }


def test_an_excluded_model_is_left_out_with_its_reason(folder: Path, assay: Assay) -> None:
    """A run of the suite alone is refused with the reason."""
    (folder / "assay.yaml").write_text("database: assay.db\n")
    assay("model", "add", "simulated/steady", "--exclude", "small=its makers wrote it")
    ended = assay("run", "small", "-m", "simulated/steady")
    assert (ended.status, "its makers wrote it" in ended.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "provider/model"),
        (["foo/bar"], "unknown provider 'foo'"),
        (["local/llama3", "--pin", "x"], "only OpenRouter chooses"),
        (["local/llama3", "--prompt-price", "1"], "--completion-price"),
        (["local/llama3", "--released", "soon"], "YYYY-MM-DD"),
        (["local/llama3", "--weights", "ajar"], "open or closed"),
        (["local/llama3", "--exclude", "daily"], "SUITE=REASON"),
    ],
)
def test_what_cannot_be_added_changes_nothing(
    folder: Path, assay: Assay, arguments: list[str], message: str
) -> None:
    """The message says what to write, and the file stays as it was."""
    (folder / "assay.yaml").write_text("database: assay.db\n")
    ended = assay("model", "add", *arguments)
    assert (ended.status, message in ended.err) == (2, True)
    assert (folder / "assay.yaml").read_text() == "database: assay.db\n"


def test_refreshed_prices_give_runs_their_cost(upstream: Served, assay: Assay) -> None:
    """Cost is unknown before the refresh, and known after it, in the plan and in the run."""
    upstream.models, upstream._answer = LISTED, without_cost
    assert assay("run", "small", "-m", "mine/a/b", "--json").json["cost"] is None
    refreshed = assay("model", "prices", "mine", "--json").json
    assert refreshed["providers"][0] | {"source": ""} == {
        "provider": "mine",
        "source": "",
        "listed": 2,
        "priced": 1,
        "error": None,
    }
    assert assay("run", "small", "-m", "mine/a/b", "--dry-run", "--json").json["cost"] > 0
    assert assay("run", "small", "-m", "mine/a/b", "--json").json["cost"] == pytest.approx(0.025)


def test_a_price_that_varies_stays_unknown(upstream: Served, assay: Assay) -> None:
    """-1 in a model list is no price."""
    upstream.models = LISTED
    assay("model", "prices", "mine")
    assert assay("run", "small", "-m", "mine/c", "--dry-run", "--json").json["cost"] is None


def test_the_list_tells_where_prices_come_from(upstream: Served, folder: Path, assay: Assay) -> None:
    """Listed prices have a source and a time; prices in the workspace take precedence."""
    upstream.models = [*LISTED, {"id": "d", "pricing": {"prompt": "0.1", "completion": "0.1"}}]
    for name, prices in (("a/b", ()), ("d", ("--prompt-price", "7", "--completion-price", "7"))):
        assay("model", "add", f"mine/{name}", *prices)
    assay("model", "prices")
    first, second = assay("model", "list", "--json").json["models"]
    assert (first["origin"], first["source"]) == ("model list", upstream.address + "/models")
    assert first["prices"]["prompt"] == pytest.approx(1.0)
    assert first["at"].endswith("Z")
    assert (second["origin"], second["prices"]["prompt"]) == ("workspace", 7.0)


def test_a_provider_that_is_down_keeps_the_old_prices(upstream: Served, assay: Assay) -> None:
    """The refresh ends with 3, and what was known is still known."""
    upstream.models = LISTED
    assay("model", "prices", "mine")
    upstream.models = 500
    ended = assay("model", "prices", "mine")
    assert (ended.status, "500" in ended.err) == (3, True)
    assert assay("run", "small", "-m", "mine/a/b", "--dry-run", "--json").json["cost"] is not None


def test_openrouter_shows_its_prices_without_a_key(
    upstream: Served, assay: Assay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its list is public: no variable is needed, and none is sent."""
    monkeypatch.setenv("OPENROUTER_BASE_URL", upstream.address)
    upstream.models = LISTED
    assert assay("model", "prices", "openrouter").status == 0
    assert upstream.authorization == [None]


def test_simulated_models_have_no_price_list(assay: Assay) -> None:
    """Asking for one is refused in words."""
    ended = assay("model", "prices", "simulated")
    assert (ended.status, "simulated" in ended.err) == (2, True)
