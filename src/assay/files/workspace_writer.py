"""Writing `assay.yaml`: a commented first file, and models added without touching the rest of the text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from assay.core.errors import Conflict, InvalidInput, NotFound, Problem
from assay.core.model import Model
from assay.files.atomic import write_whole
from assay.files.loader import Dumper, Loader
from assay.files.marked import parse
from assay.files.workspace import FILE

FIRST = """\
# Assay's workspace. Everything here may be left out; what is commented shows an example.
# Keys never stand here: they are read from the environment, or from `.env` beside this file.

# An SQLite file, or postgresql://USER@HOST/NAME. With a password, set ASSAY_DATABASE instead.
database: assay.db

# US dollars that one run may spend. It stops cleanly there and can be resumed.
# budget:
#   max_cost: 2.50

# Built in: openrouter, openai, anthropic, google, local (Ollama), vllm, llamacpp, litellm, simulated,
# recorded.
# providers:
#   mine:
#     base_url: https://models.example.org/v1
#     api_key_env: MINE_API_KEY      # the NAME of the variable

# Only models with a pin, prices or parameters of their own need an entry: `assay model add` writes one.
# models:
#   - name: openrouter/openai/gpt-5-mini
#     pin: [openai]                  # a watch of an OpenRouter model needs its pin
#     prices: {prompt: 0.25, completion: 2.00}   # US dollars per million tokens

# Who judges boards, in the place of the suite's own panel. (A watch's judge is pinned by its suite.)
# judges: [openrouter/openai/gpt-4.1, openrouter/google/gemini-2.5-flash]
# geval: openrouter/openai/gpt-4o-mini-2024-07-18

# watch:
#   suite: daily
#   models: [openrouter/openai/gpt-5-mini, local/llama3]
#   schedule: "06:00"                # UTC, for `assay watch --schedule`

# Changes of verdicts are sent here.
# notify:
#   - name: team
#     url_env: SLACK_WEBHOOK_URL     # the NAME of the variable with the address
#     format: slack                  # json | slack
"""


def init_workspace(folder: Path) -> Path:
    """Write a commented `assay.yaml` into a folder, return its path. Raises Conflict where there is one."""
    path = folder / FILE
    if path.exists():
        raise Conflict(f"{str(path)!r} is there already: edit it, or remove it first")
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(path, FIRST.encode())
    return path


def add_model(path: Path, model: Model) -> None:
    """Add a model to the end of the list `models` of a workspace file; all other text stays as it is.

    Raises NotFound without a file, Conflict when the model is listed already, and InvalidInput where the
    file cannot be read or the list is written in a form that cannot be added to; nothing is written then.
    """
    if not path.is_file():
        raise NotFound(f"there is no workspace file {str(path)!r}: `assay init` writes one")
    text = path.read_bytes().decode("utf-8-sig")
    before = parse(text, str(path))
    if before.problems:
        raise InvalidInput(before.in_order())
    entry = model_entry(model)
    listed = (before.value or {}).get("models") if isinstance(before.value or {}, dict) else None
    if any(isinstance(one, dict) and one.get("name") == model.name for one in listed or []):
        raise Conflict(f"the model {model.name!r} is in {path.name} already: edit its entry there")
    added = _inserted(text, entry)
    after = parse(added, str(path))
    expected = {**(before.value or {}), "models": [*(listed or []), entry]}
    if after.problems or after.value != expected:
        shown = _block(entry, 0)
        place = Problem(
            f"the list `models` cannot be added to: add by hand\n{shown}", str(path), before.line(("models",))
        )
        raise InvalidInput(place)
    write_whole(path, added.encode())


def model_entry(model: Model) -> dict[str, Any]:
    """Return a model as the workspace file holds it, without what is not set."""
    prices = model.prices
    entry: dict[str, Any] = {
        "name": model.name,
        "pin": None if model.pin is None else list(model.pin.only),
        "parameters": dict(model.parameters),
        "prices": None
        if prices is None
        else {
            "prompt": prices.prompt,
            "completion": prices.completion,
            **({} if prices.cached is None else {"cached": prices.cached}),
            **({} if prices.cache_write is None else {"cache_write": prices.cache_write}),
            **({"request": prices.request} if prices.request else {}),
        },
        "organisation": model.organisation,
        "family": model.family,
        "series": model.series,
        "released": None if model.released is None else model.released.isoformat(),
        "weights": model.weights,
        "exclusions": [{"suite": one.suite, "reason": one.reason} for one in model.exclusions],
    }
    return {key: value for key, value in entry.items() if value not in (None, {}, [])}


def _block(entry: dict[str, Any], indent: int) -> str:
    """Return an entry as an item of a list: a line a key, with lists and mappings in brackets."""
    lines = []
    for key, value in entry.items():
        flow = None if isinstance(value, dict | list) else False
        text = yaml.dump(
            {key: value},
            Dumper=Dumper,
            sort_keys=False,
            allow_unicode=True,
            default_flow_style=flow,
            width=10**6,
        )
        lines += text.splitlines()
    starts = ["- ", *["  "] * (len(lines) - 1)]
    return "".join(f"{' ' * indent}{start}{line}\n" for start, line in zip(starts, lines, strict=True))


def _inserted(text: str, entry: dict[str, Any]) -> str:
    """Return the text with one more item in `models`, which is begun where there is none."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += newline
    top = yaml.compose(text, Loader=Loader)
    key, value = _models(top)
    if key is None:
        at, new = len(lines), f"\nmodels:\n{_block(entry, 2)}"
    elif isinstance(value, yaml.SequenceNode) and value.value and not value.flow_style:
        at = max(_last_line(value))
        new = _block(entry, value.start_mark.column)
    else:
        at, new = key.start_mark.line + 1, _block(entry, 2)
        if isinstance(value, yaml.SequenceNode) and not value.value:
            lines[at - 1] = lines[at - 1].replace("[]", "", 1).rstrip() + newline
    return "".join([*lines[:at], new.replace("\n", newline), *lines[at:]])


def _models(top: yaml.Node | None) -> tuple[Any, Any]:
    if isinstance(top, yaml.MappingNode):
        for key, value in top.value:
            if key.value == "models":
                return key, value
    return None, None


def _last_line(node: Any) -> Iterator[int]:
    """Yield the number of the line after each part below a node."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style:
        end = node.end_mark
        yield end.line if end.column == 0 and end.line > node.start_mark.line else end.line + 1
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _last_line(key)
            yield from _last_line(value)
    else:
        for item in node.value:
            yield from _last_line(item)
