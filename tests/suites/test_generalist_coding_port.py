"""The bucket function that was ported from Python to JavaScript: who differs where, and the repair."""

from __future__ import annotations

import json
import shutil
import subprocess
from random import Random

import pytest
from generalist_cases import block, cases, defined, derivation

CASES = cases("coding")
PORT = derivation("generalist_bucket")
NODE = shutil.which("node")


def _differing(buckets: int, shift: int, last: str, ids: list[str]) -> float:
    bucket = defined(block(CASES["coding-bucket-port"]))["bucket"]
    wrong = sum(PORT.ported(one, buckets, shift, last) != bucket(one, buckets, shift) for one in ids)
    return wrong / len(ids)


def _addresses(number: int) -> list[str]:
    random = Random(5)
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    names = ["".join(random.choice(letters) for _ in range(random.randint(6, 12))) for _ in range(number)]
    return [f"{name}@{name[::-1]}.ch" for name in names]


def test_ported_buckets_differ_for_half_of_the_addresses() -> None:
    """The port agrees on five letters without shift and differs on about half of the addresses."""
    random = Random(6)
    short = ["".join(random.choice("abcxyz") for _ in range(5)) for _ in range(100)]
    assert _differing(100, 0, "as it is", [*short, "zzzzz"]) == 0
    assert sum(122 * 31**power for power in range(5)) == 116_425_210 < 2**31
    assert 0.4 < _differing(100, 17, "as it is", _addresses(400)) < 0.6


@pytest.mark.parametrize(("buckets", "right"), [(2, True), (64, True), (512, True), (10, False), (96, False)])
def test_wrapping_the_remainder_is_right_for_powers_of_two(buckets: int, right: bool) -> None:
    """The last line that Lars proposes is right exactly where the number of buckets divides 2^32."""
    wrong = _differing(buckets, 17, "wrapped", _addresses(200))
    assert wrong == 0 if right else 0.3 < wrong < 0.7


def test_absolute_values_are_wrong_for_negative_differences() -> None:
    """Math.abs agrees wherever h - shift is not negative, and for two buckets everywhere."""
    assert _differing(2, 17, "abs", _addresses(200)) == 0
    assert 0.3 < _differing(100, 17, "abs", _addresses(200)) < 0.7


def _in_node(function: str, arguments: list[tuple[str, int, int]]) -> list[int]:
    """Return what a JavaScript function `bucket` gives."""
    script = f"{function}\nconsole.log(JSON.stringify({json.dumps(arguments)}.map(each => bucket(...each))))"
    run = subprocess.run([str(NODE), "-e", script], capture_output=True, text=True, timeout=30, check=True)
    found: list[int] = json.loads(run.stdout)
    return found


@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_the_port_and_its_repair_in_node() -> None:
    """In Node the port gives what the model gives, and the best exemplar gives what Python gives."""
    case = CASES["coding-bucket-port"]
    random = Random(8)
    ids = [*_addresses(100), "", "a", "\U0001f388balloon\U0001f388@example.ch", "\u00e9t\u00e9"]
    arguments = [(one, random.randint(2, 1_000), random.randint(0, 999)) for one in ids]
    port = case.messages[-1].content.split("```js")[1].split("```")[0]
    repaired = case.exemplars[0].answer.split("```js")[1].split("```")[0]
    bucket = defined(block(case))["bucket"]
    assert _in_node(port, arguments) == [PORT.ported(*each) for each in arguments]
    assert _in_node(repaired, arguments) == [bucket(*each) for each in arguments]
