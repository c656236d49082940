"""A suite's documents as YAML that people can read: texts of several lines stand as blocks."""

from __future__ import annotations

from typing import Any

import yaml

from assay.files.loader import Dumper


class _Blocks(Dumper):
    """Writes a text of several lines as a literal block."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Blocks.add_representer(str, _text)


def suite_text(document: Any) -> str:
    """Return a document, of mappings, lists, texts and numbers, as YAML in the order given."""
    return yaml.dump(document, Dumper=_Blocks, sort_keys=False, allow_unicode=True, width=100)
