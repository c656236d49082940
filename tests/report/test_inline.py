"""What a self-contained page carries inside."""

import base64
import hashlib
import json

import pytest

from assay.report.inline import code_spans, content_policy, json_block

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "a & b",
    "line\u2028end",
    "quote \" and ' done",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_data_can_end_its_script_element(text: str) -> None:
    """Neither an end tag nor the start of a comment survives, and the value reads back unchanged."""
    block = json_block({"text": text})
    assert not set("<>&\u2028") & set(block)
    assert json.loads(block) == {"text": text}


def test_the_policy_admits_the_given_texts_alone() -> None:
    """Scripts and styles by their hashes, everything else from nowhere."""
    expected = base64.b64encode(hashlib.sha256(b"run()").digest()).decode()
    policy = content_policy(["run()"], ["b {}"])
    assert policy.startswith("default-src 'none'; ")
    assert f"script-src 'sha256-{expected}';" in policy
    assert "unsafe" not in policy


def test_styles_may_be_left_open_but_scripts_never() -> None:
    """None for styles admits Vega's own, and still no script but the given one."""
    policy = content_policy(["run()"], None)
    assert policy.count("unsafe-inline") == 1
    assert "style-src 'unsafe-inline'" in policy


def test_words_in_backticks_are_code() -> None:
    """The rest is escaped."""
    assert code_spans("`a<b` & c") == "<code>a&lt;b</code> &amp; c"
