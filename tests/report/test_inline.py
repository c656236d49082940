"""The scripts, data and policy of a self-contained page."""

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
    """End tags and comments are escaped, and the value can be read back unchanged."""
    block = json_block({"text": text})
    assert not set("<>&\u2028") & set(block)
    assert json.loads(block) == {"text": text}


def test_the_policy_allows_only_the_given_texts() -> None:
    """Scripts and styles are allowed by their hashes; everything else is forbidden."""
    expected = base64.b64encode(hashlib.sha256(b"run()").digest()).decode()
    policy = content_policy(["run()"], ["b {}"])
    assert policy.startswith("default-src 'none'; ")
    assert f"script-src 'sha256-{expected}';" in policy
    assert "unsafe" not in policy


def test_all_styles_can_be_allowed_but_not_all_scripts() -> None:
    """None for styles allows Vega's own styles; scripts are still allowed only by hash."""
    policy = content_policy(["run()"], None)
    assert policy.count("unsafe-inline") == 1
    assert "style-src 'unsafe-inline'" in policy


def test_words_in_backticks_are_code() -> None:
    """The rest is escaped."""
    assert code_spans("`a<b` & c") == "<code>a&lt;b</code> &amp; c"
