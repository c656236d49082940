"""A workspace is read from its file and the environment, or refused with every problem at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from every_row import every_row

from assay.core.errors import InvalidInput, NotFound
from assay.core.model import Model, Pin, SuiteExclusion
from assay.core.money import Prices
from assay.core.verdict import ModelState
from assay.core.workspace import BudgetSettings, WatchPlan, Webhook, Workspace
from assay.files.workspace import load_workspace, open_workspace, parse_dotenv, with_dotenv

FULL = """\
database: results/mine.db
budget: {max_cost: 2.5}
providers:
  mine:
    base_url: https://models.example.org/v1/
    api_key_env: MINE_API_KEY
    concurrency: 8
  local: {timeout: 60}
models:
  - name: openrouter/openai/gpt-5-mini
    pin: [openai]
    parameters: {reasoning: {effort: low}}
    prices: {prompt: 0.25, completion: 2, cached: 0.025}
    organisation: OpenAI
    family: gpt-5
    series: gpt-5-mini
    released: 2025-08-07
    weights: closed
    exclusions: [{suite: exam, reason: "its makers wrote the suite"}]
judges: [openai/gpt-4o-mini-2024-07-18]
watch: {suite: ./suites/own, models: [local/llama3], schedule: 16:30}
notify:
  - {name: team, url_env: TEAM_HOOK, format: slack, states: [COOKED]}
  - {name: log, url: "https://example.org/hook", secret_env: HOOK_SECRET}
"""
HEX = "3f9a1c5e7b2d4f6081a3c5e7f9b1d3f5"


def load(text: str, folder: Path, **environment: str) -> Workspace:
    """Load a workspace with this text."""
    path = folder / "assay.yaml"
    path.write_text(text)
    return load_workspace(path, environment=environment)


def refused(text: str, folder: Path, **environment: str) -> list[str]:
    """The problems of a workspace with this text."""
    with pytest.raises(InvalidInput) as caught:
        load(text, folder, **environment)
    return [str(problem).replace(f"{folder}/", "") for problem in caught.value.problems]


def test_models_in_full(tmp_path: Path) -> None:
    """Everything a model may declare arrives."""
    assert load(FULL, tmp_path).model("openrouter/openai/gpt-5-mini") == Model(
        provider="openrouter",
        upstream="openai/gpt-5-mini",
        pin=Pin(("openai",)),
        parameters={"reasoning": {"effort": "low"}},
        prices=Prices(0.25, 2, 0.025),
        organisation="OpenAI",
        family="gpt-5",
        series="gpt-5-mini",
        released=date(2025, 8, 7),
        weights="closed",
        exclusions=(SuiteExclusion("exam", "its makers wrote the suite"),),
    )


def test_the_rest_in_full(tmp_path: Path) -> None:
    """Budget, judges, watch and webhooks arrive."""
    workspace = load(FULL, tmp_path)
    assert (workspace.budget, workspace.judges, workspace.watch, workspace.notify) == (
        BudgetSettings(2.5),
        ("openai/gpt-4o-mini-2024-07-18",),
        WatchPlan("./suites/own", ("local/llama3",), "16:30"),
        (
            Webhook("team", url_env="TEAM_HOOK", format="slack", states=(ModelState.COOKED,)),
            Webhook("log", url="https://example.org/hook", secret_env="HOOK_SECRET"),
        ),
    )


def test_providers_are_added_and_changed(tmp_path: Path) -> None:
    """A new provider stands beside the built-in ones, and a built-in one keeps what is not changed."""
    providers = load(FULL, tmp_path).providers
    mine, local = providers["mine"], providers["local"]
    assert (mine.base_url, mine.api_key_env, mine.concurrency, local.base_url, local.timeout) == (
        "https://models.example.org/v1",
        "MINE_API_KEY",
        8,
        "http://localhost:11434/v1",
        60,
    )


def test_the_database_stands_beside_the_file(tmp_path: Path) -> None:
    """A relative database file is relative to the workspace, not to where the command runs."""
    assert load(FULL, tmp_path).database == str(tmp_path / "results/mine.db")


def test_the_defaults_without_a_file() -> None:
    """With no file there are the built-in providers and nothing else."""
    workspace = load_workspace(None, environment={})
    assert (workspace.database, sorted(workspace.providers), workspace.models, workspace.path) == (
        "assay.db",
        [
            "anthropic",
            "google",
            "litellm",
            "llamacpp",
            "local",
            "openai",
            "openrouter",
            "recorded",
            "simulated",
            "vllm",
        ],
        {},
        None,
    )


@pytest.mark.parametrize("text", ["", "# only a comment\n", "models:\nwatch:\nnotify:\n"])
def test_an_empty_file_is_the_defaults(text: str, tmp_path: Path) -> None:
    """A file without entries, or with keys left blank, changes nothing."""
    assert load(text, tmp_path).watch == WatchPlan()


def test_an_unlisted_model_of_a_known_provider() -> None:
    """A model needs no entry."""
    assert load_workspace(None, environment={}).model("local/llama3") == Model("local", "llama3")


@pytest.mark.parametrize(("name", "words"), [("llama3", "provider/model"), ("lokal/llama3", "'lokal'")])
def test_an_unknown_model(name: str, words: str) -> None:
    """A name without a known provider is not found."""
    with pytest.raises(NotFound, match=words):
        load_workspace(None, environment={}).model(name)


def test_every_problem_at_once(tmp_path: Path) -> None:
    """One refusal lists all that is wrong, with lines and what to write."""
    text = """\
databse: x
providers:
  mine: {concurrency: 0}
models:
  - name: gpt-4
  - {name: openai/gpt-4, weights: opened, released: 2025-13-01}
watch: {schedule: 25:00}
"""
    assert refused(text, tmp_path) == [
        "assay.yaml:1: unknown key 'databse': did you mean 'database'?",
        "assay.yaml:3: 'providers.mine.concurrency' is 0: write a whole number of calls at once, such as 32",
        "assay.yaml:5: 'models[0].name' is 'gpt-4': write `provider/model`, such as "
        "openrouter/openai/gpt-5-mini",
        "assay.yaml:6: 'models[1].weights' is 'opened': write `open` or `closed`",
        "assay.yaml:7: 'watch.schedule' is '25:00': write a time of day in UTC, such as 06:00",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "providers: {mine: {concurrency: 4}}",
            "1: the provider 'mine' has no `base_url`: write it, or use a built-in one (openrouter, openai, "
            "anthropic, google, local, vllm, llamacpp, litellm, simulated, recorded)",
        ),
        (
            "providers: {My Own: {base_url: 'http://x'}}",
            "1: invalid provider name 'My Own': write lower-case letters, digits and hyphens",
        ),
        (
            "providers: {mine: {base_url: 'https://x.org/v1/chat/completions/'}}",
            "1: 'providers.mine.base_url' ends in /chat/completions, which Assay adds: "
            "write https://x.org/v1",
        ),
        (
            "providers: {mine: {base_url: models.example.org}}",
            "1: 'providers.mine.base_url' is not a web address: begin it with http:// or https://",
        ),
        (
            "models: [{name: lokal/x}]",
            "1: unknown provider 'lokal' in 'lokal/x': did you mean 'local'?",
        ),
        ("judges: [x]", "1: invalid model name 'x': write `provider/model`, such as local/llama3"),
        (
            "models: [{name: local/x}, {name: local/x}]",
            "1: duplicate model 'local/x': keep one entry",
        ),
        (
            "models: [{name: local/x, pin: [a]}]",
            "1: the model 'local/x' has a pin, but only OpenRouter models can have one: remove it",
        ),
        (
            "models: [{name: local/x, released: 2025-02-30}]",
            "1: 'released' is '2025-02-30', which is not a date: write one such as 2025-08-07",
        ),
        (
            "models: [{name: local/x, parameters: {reasoning: {effort: low, max_tokens: 1}}}]",
            "1: 'parameters.reasoning' has both `effort` and `max_tokens`: keep one",
        ),
        ("notify: [{name: a}]", "1: the webhook 'a' needs `url` or `url_env`: write one of them"),
        (
            "notify: [{name: a, url_env: A}, {name: a, url_env: A}]",
            "1: duplicate webhook 'a': rename one",
        ),
    ],
)
def test_what_a_workspace_refuses(text: str, expected: str, tmp_path: Path) -> None:
    """Each contradiction is refused with its place and what to write instead."""
    assert refused(text, tmp_path) == [f"assay.yaml:{expected}"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# x\nproviders:\n  openai:\n    api_key_env: sk-proj-{}", 4),
        ("providers:\n  openai: {{api_key_env: {}}}", 2),
        ("providers:\n  openai: {{api_key_env: A{}}}", 2),
        ("providers:\n  openai:\n    api_key: {}", 3),
        ("providers:\n  openai: {}", 2),
        ("providers:\n  mine: {{base_url: 'https://me:{}@example.org/v1'}}", 2),
        ("models:\n  - name: local/x\n    parameters: {{extra: 'Bearer {}'}}", 3),
        ("database: postgresql://me:{}@example.org/assay", 1),
        ("notify:\n  - {{name: a, url: 'https://hooks.slack.com/services/{}'}}", 2),
        ("notify:\n  - {{name: a, url: 'https://discord.com/api/webhooks/{}'}}", 2),
        ("notify:\n  - {{name: a, url_env: a, secret_env: {}}}", 2),
    ],
)
@pytest.mark.parametrize("secret", [HEX, HEX.upper()])
def test_secrets_are_refused_and_never_shown(text: str, line: int, secret: str, tmp_path: Path) -> None:
    """A key in the file is refused where it stands, and no message repeats it."""
    problems = refused(text.format(secret), tmp_path)
    assert (
        any(problem.startswith(f"assay.yaml:{line}:") for problem in problems),
        secret in "".join(problems),
    ) == (
        True,
        False,
    ), problems


def test_a_key_is_answered_with_what_to_write(tmp_path: Path) -> None:
    """The refusal of a key says to name a variable."""
    [problem, *_] = refused("providers:\n  openai:\n    api_key_env: sk-proj-abcdefghijklmnop", tmp_path)
    assert "api_key_env: MY_API_KEY" in problem


def test_the_environment_overrides_the_file(tmp_path: Path) -> None:
    """Every option has a variable, and it wins."""
    workspace = load(
        FULL,
        tmp_path,
        ASSAY_DATABASE="postgresql://me:hush@db/assay",
        ASSAY_BUDGET_MAX_COST="7",
        ASSAY_JUDGES="local/a, local/b",
        ASSAY_WATCH_SCHEDULE="07:00",
        ASSAY_WATCH_ALLOW_UNPINNED="true",
        ASSAY_MINE_CONCURRENCY="3",
        ASSAY_VLLM_BASE_URL="http://gpu:8000/v1",
    )
    assert (
        workspace.database,
        workspace.budget.max_cost,
        workspace.judges,
        workspace.watch,
        workspace.providers["mine"].concurrency,
        workspace.providers["vllm"].base_url,
    ) == (
        "postgresql://me:hush@db/assay",
        7,
        ("local/a", "local/b"),
        WatchPlan("./suites/own", ("local/llama3",), "07:00", allow_unpinned=True),
        3,
        "http://gpu:8000/v1",
    )


def test_a_bad_variable_is_named(tmp_path: Path) -> None:
    """What is wrong in the environment is told by the variable's name, beside the file's problems."""
    text = "databse: x\njudges: [lokal/x]\n"
    told = refused(text, tmp_path, ASSAY_BUDGET_MAX_COST="much", OPENAI_BASE_URL="nowhere")
    assert told == [
        "assay.yaml:1: unknown key 'databse': did you mean 'database'?",
        "assay.yaml:2: unknown provider 'lokal' in 'lokal/x': did you mean 'local'?",
        "ASSAY_BUDGET_MAX_COST: 'budget.max_cost' is 'much': write US dollars a run, such as 2.50",
        "OPENAI_BASE_URL: is not a web address: begin it with http:// or https://",
    ]


@pytest.mark.parametrize(
    ("text", "environment", "expected"),
    [
        ("", {}, "https://api.openai.com/v1"),
        ("", {"OPENAI_BASE_URL": "http://proxy/v1/"}, "http://proxy/v1"),
        (
            "providers: {openai: {base_url: 'http://file/v1'}}",
            {"OPENAI_BASE_URL": "http://proxy/v1"},
            "http://file/v1",
        ),
        (
            "providers: {openai: {base_url: 'http://file/v1'}}",
            {"ASSAY_OPENAI_BASE_URL": "http://assay/v1", "OPENAI_BASE_URL": "not used, so not checked"},
            "http://assay/v1",
        ),
    ],
)
def test_where_openai_is(text: str, environment: dict[str, str], expected: str, tmp_path: Path) -> None:
    """ASSAY_OPENAI_BASE_URL beats the file, the file beats OPENAI_BASE_URL, that beats the default."""
    assert load(text, tmp_path, **environment).providers["openai"].base_url == expected


def test_a_bad_address_variable(tmp_path: Path) -> None:
    """A provider's own variable is checked too."""
    assert refused("", tmp_path, OPENAI_BASE_URL="nowhere") == [
        "OPENAI_BASE_URL: is not a web address: begin it with http:// or https://"
    ]


def test_opening_a_folder(tmp_path: Path) -> None:
    """The folder's file and its `.env` are read together."""
    (tmp_path / "assay.yaml").write_text("budget: {max_cost: 1}")
    (tmp_path / ".env").write_text("ASSAY_BUDGET_MAX_COST=2\nOPENAI_API_KEY=hush\n")
    workspace, environment = open_workspace(tmp_path, {"HOME": "/"})
    assert (workspace.budget.max_cost, environment["OPENAI_API_KEY"], environment["HOME"]) == (2, "hush", "/")


def test_without_a_file_the_defaults_hold_and_the_database_is_in_the_folder(tmp_path: Path) -> None:
    """Not in the working folder, unless the environment names a database."""
    defaults = load_workspace(None, environment={})
    database = str(tmp_path / "assay.db")
    assert open_workspace(tmp_path, {})[0] == replace(defaults, database=database)
    assert open_workspace(tmp_path, {"ASSAY_DATABASE": "other.db"})[0].database == "other.db"


def test_a_named_file_must_be_there(tmp_path: Path) -> None:
    """A file that is asked for by name and missing is not found, whoever names it."""
    for environment, path in (
        ({"ASSAY_WORKSPACE": str(tmp_path / "a.yaml")}, None),
        ({}, tmp_path / "a.yaml"),
    ):
        with pytest.raises(NotFound, match="assay init"):
            open_workspace(tmp_path, environment, path)


def test_recordings_stand_beside_the_workspace_or_where_the_command_is_given(tmp_path: Path) -> None:
    """A file's name in `assay.yaml` is relative to it, one in the environment to the current folder."""
    text = "providers: {recorded: {recordings: replay.jsonl}}\n"
    assert load(text, tmp_path).providers["recorded"].recordings == str(tmp_path / "replay.jsonl")
    there = load(text, tmp_path, ASSAY_RECORDED_RECORDINGS="other.jsonl").providers["recorded"]
    assert there.recordings == str(Path("other.jsonl").absolute())
    assert load("", tmp_path).providers["recorded"].recordings is None


def test_a_second_provider_of_recordings_needs_no_address(tmp_path: Path) -> None:
    """Whoever serves it fills in the address."""
    text = "providers: {march: {dialect: recorded, recordings: march.jsonl}}\n"
    made = load(text, tmp_path).providers["march"]
    assert (made.dialect, made.base_url) == ("recorded", "http://127.0.0.1/v1")


def test_recordings_of_a_real_provider_are_refused(tmp_path: Path) -> None:
    """Nothing would read them."""
    assert refused("providers:\n  openai: {recordings: replay.jsonl}\n", tmp_path) == [
        "assay.yaml:2: the provider 'openai' has `recordings` without `dialect: recorded`: "
        "add that, or remove them"
    ]


def test_an_imported_model_may_be_excluded(tmp_path: Path) -> None:
    """Its name needs no provider; it is no model that could be asked."""
    text = 'models:\n  - name: imported/old\n    exclusions: [{suite: causal, reason: "retired API"}]\n'
    workspace = load(text, tmp_path)
    assert workspace.exclusions == {"causal": {"imported/old": "retired API"}}
    assert workspace.models == {}


def test_an_imported_model_has_nothing_else_to_declare(tmp_path: Path) -> None:
    """Prices or parameters would have no effect."""
    text = "models:\n  - name: imported/old\n    family: old\n    parameters: {temperature: 0}\n"
    assert [line.split(": ", 1)[0] for line in refused(text, tmp_path)] == ["assay.yaml:3", "assay.yaml:4"]
    assert "'family' has no effect" in refused(text, tmp_path)[0]


def test_the_shipped_judge_is_pinned(tmp_path: Path) -> None:
    """The judge of `daily` and `generalist` has its pin without an entry; a listed one comes first."""
    judge = "openrouter/openai/gpt-4o-mini-2024-07-18"
    assert load_workspace(None, environment={}).model(judge).pin == Pin(("openai",))
    own = load(f"models:\n  - {{name: {judge}, pin: [azure]}}\n", tmp_path)
    assert own.model(judge).pin == Pin(("azure",))


def test_a_shipped_model_behind_another_dialect_has_no_pin(tmp_path: Path) -> None:
    """Where `openrouter` is an endpoint that does not route, there is nothing to pin."""
    text = "providers:\n  openrouter: {base_url: http://127.0.0.1:1/v1, dialect: openai}\n"
    assert load(text, tmp_path).model("openrouter/openai/gpt-4o-mini-2024-07-18").pin is None


@every_row(
    "line, expected",
    [
        ("A=1", "1"),
        ("  export A = 1  ", "1"),
        ("A=a b # note", "a b"),
        ("A=a#b", "a#b"),
        ("A=", ""),
        ("A= # note", ""),
        ("A='a # \\n'", "a # \\n"),
        ('A="a\\n\\"b\\" #" # note', 'a\n"b" #'),
        ("A=$HOME", "$HOME"),
        ("A=x=y", "x=y"),
        ("A='first\nsecond'", "first\nsecond"),
    ],
)
def test_values(line: str, expected: str) -> None:
    """Quotes, comments and `export` are understood; nothing is expanded."""
    assert parse_dotenv(line + "\r\n", ".env") == {"A": expected}


def test_lines_that_cannot_be_read() -> None:
    """Every bad line is reported by number, and none is shown."""
    with pytest.raises(InvalidInput) as caught:
        parse_dotenv("A=1\nhush-hush\n\n# ok\nB='hush\n1C=hush\n", ".env")
    assert ([problem.line for problem in caught.value.problems], "hush" in str(caught.value)) == (
        [2, 5, 6],
        False,
    )


def test_the_environment_wins(tmp_path: Path) -> None:
    """A variable that is set keeps its value, also an empty one."""
    (tmp_path / ".env").write_text("A=file\nB=file\nC=file\n")
    assert with_dotenv(tmp_path, {"A": "real", "B": ""}) == {"A": "real", "B": "", "C": "file"}


def test_no_file(tmp_path: Path) -> None:
    """Without a file the environment is returned as it is."""
    assert with_dotenv(tmp_path, {"A": "1"}) == {"A": "1"}
