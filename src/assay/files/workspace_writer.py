"""Writing `assay.yaml`: a commented first file, and new models without changes to the rest of the text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from assay.core.errors import Conflict, InvalidInput, NotFound, Problem
from assay.core.model import Model
from assay.files.atomic import write_whole
from assay.files.marked_yaml import Dumper, Loader, parse
from assay.files.workspace import FILE

FIRST = """\
# Assay's workspace. Every entry is optional; commented entries are examples.
# Keys never belong here: they are read from the environment, or from `.env` beside this file.

# An SQLite file, or postgresql://USER@HOST/NAME. With a password, set ASSAY_DATABASE instead.
database: assay.db

# The most US dollars that one run may spend. A run that stops there can be resumed.
# budget:
#   max_cost: 2.50

# Built in: openrouter, openai, anthropic, google, local (Ollama), vllm, llamacpp, litellm, simulated,
# recorded.
# providers:
#   mine:
#     base_url: https://models.example.org/v1
#     api_key_env: MINE_API_KEY      # the name of the variable

# Only models with their own pin, prices or parameters need an entry: `assay model add` writes one.
# models:
#   - name: openrouter/openai/gpt-5-mini
#     pin: [openai]                  # a watch of an OpenRouter model needs its pin
#     prices: {prompt: 0.25, completion: 2.00}   # US dollars per million tokens

# Judges of boards, instead of the suite's own panel. (A watch's judge is pinned by its suite.)
# judges: [openrouter/openai/gpt-4.1, openrouter/google/gemini-2.5-flash]
# geval: openrouter/openai/gpt-4o-mini-2024-07-18

# watch:
#   suite: daily
#   models: [openrouter/openai/gpt-5-mini, local/llama3]
#   schedule: "06:00"                # UTC, for `assay watch --schedule`

# Addresses that changes of verdicts are sent to.
# notify:
#   - name: team
#     url_env: SLACK_WEBHOOK_URL     # the name of the variable with the address
#     format: slack                  # json | slack | discord
"""


def init_workspace(folder: Path) -> Path:
    """Write a commented `assay.yaml` into a folder and return its path. Raises Conflict if there is one."""
    path = folder / FILE
    if path.exists():
        raise Conflict(f"the file {str(path)!r} already exists: edit it, or remove it first")
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(path, FIRST.encode())
    return path


def add_model(path: Path, model: Model) -> None:
    """Add a model to the end of the list `models` of a workspace file; the other text does not change.

    Raises NotFound if there is no file, Conflict if the model is already listed, and InvalidInput if the
    file cannot be read or the list is written in a form that cannot be extended.
    """
    if not path.is_file():
        raise NotFound(f"no workspace file {str(path)!r}: create one with `assay init`")
    text = path.read_bytes().decode("utf-8-sig")
    before = parse(text, str(path))
    if before.problems:
        raise InvalidInput(before.in_order())
    entry = model_entry(model)
    listed = (before.value or {}).get("models") if isinstance(before.value or {}, dict) else None
    if any(isinstance(item, dict) and item.get("name") == model.name for item in listed or []):
        raise Conflict(f"the model {model.name!r} is already in {path.name}: edit its entry there")
    added = _insert(text, entry)
    after = parse(added, str(path))
    expected = {**(before.value or {}), "models": [*(listed or []), entry]}
    if after.problems or after.value != expected:
        text = f"cannot extend the list `models`: add the entry by hand\n{_block(entry, 0)}"
        raise InvalidInput(Problem(text, str(path), before.line(("models",))))
    write_whole(path, added.encode())


def model_entry(model: Model) -> dict[str, Any]:
    """Return a model as an entry of the workspace file, without keys that are not set."""
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
        "exclusions": [{"suite": entry.suite, "reason": entry.reason} for entry in model.exclusions],
    }
    return {key: value for key, value in entry.items() if value not in (None, {}, [])}


def _block(entry: dict[str, Any], indent: int) -> str:
    """Return an entry as an item of a list: one line for each key, lists and mappings in brackets."""
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


def _insert(text: str, entry: dict[str, Any]) -> str:
    """Return the text with one more item in `models`, which is added if it is missing."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += newline
    top = yaml.compose(text, Loader=Loader)
    key, value = _models_node(top)
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


def _models_node(top: yaml.Node | None) -> tuple[Any, Any]:
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
