"""The reasoned coding cases of the generalist suite: each gold answer reached by a second route."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from generalist_cases import block, cases, defined, derivation

CASES = cases("coding")
CUTTING = derivation("generalist_cutting")


def test_cents_are_split_as_promised() -> None:
    """The function that hides no bug keeps its promises for totals of either sign, in exact fractions."""
    split_cents = defined(block(CASES["coding-credit-note-split"]))["split_cents"]
    random = Random(11)
    for _ in range(5_000):
        weights = [
            random.choice((0, 1, 2, 3, 7, random.randint(0, 500))) for _ in range(random.randint(1, 7))
        ]
        total = random.randint(-2_000, 2_000)
        if not sum(weights):
            continue
        parts = split_cents(total, weights)
        assert sum(parts) == total
        for part, weight in zip(parts, weights, strict=True):
            share = Fraction(total * weight, sum(weights))
            assert abs(part - share) < 1, (total, weights)
            assert weight or part == 0, (total, weights)


@pytest.mark.parametrize(("work", "minutes"), [(1.2, 51), (2.0, 31), (4.0, 16), (0.1, 601)])
def test_readings_once_a_minute_show_a_slow_wave(work: float, minutes: int) -> None:
    """Readings each 60 s of a queue emptied each 60 s + work show a falling wave of the stated length."""
    tenths = round(10 * (60 + work))
    readings = [20 * ((600 * n + 7) % tenths) / 10 for n in range(3_000)]
    jumps = [n for n in range(1, len(readings)) if readings[n] > readings[n - 1]]
    assert {after - before for before, after in pairwise(jumps)} == {minutes}
    assert 1_190 < max(readings) <= 20 * (60 + work)


@pytest.mark.parametrize("reclaim", [False, True])
def test_owned_metres_are_safe_and_time_outs_are_not(reclaim: bool) -> None:
    """Owned quotas never oversell, whatever is lost or dies; taking them back by time-out can."""
    assert derivation("generalist_ferry").oversold(reclaim=reclaim) is reclaim


def _redeem(card: dict[str, int], amount: int) -> Iterator[None]:
    """Do what the endpoint does, pausing where it waits for the database."""
    balance = card["balance"]
    yield
    if balance >= amount:
        card["balance"] = balance - amount
        yield
        card["redeemed"] += amount


def test_gift_card_faults_are_real() -> None:
    """Two interleaved requests spend a balance twice, and a negative amount adds to it."""
    card = {"balance": 5_000, "redeemed": 0}
    first, second = _redeem(card, 4_000), _redeem(card, 4_000)
    for step in (first, second, first, second, first, second):
        next(step, None)
    assert card == {"balance": 1_000, "redeemed": 8_000}
    list(_redeem(added := {"balance": 5_000, "redeemed": 0}, -5_000))
    assert added["balance"] == 10_000


def test_two_cuts_by_the_rule_are_optimal() -> None:
    """With two pieces a stock length the rule never loses to the optimum."""
    assert CUTTING.losing(range(3, 9), 2, range(1, 7)) == []


def test_three_cuts_by_the_rule_lose_with_six_pieces() -> None:
    """With three pieces the rule loses first on 2, 2, 1, 1, 1, 1 of 4, and never with five pieces."""
    assert CUTTING.losing(range(2, 12), 3, range(1, 6)) == []
    assert CUTTING.losing(range(2, 5), 3, range(6, 7)) == [(4, (2, 2, 1, 1, 1, 1))]
    for capacity, pieces in ((10, (5, 4, 3, 3, 3, 2)), (12, (12, 12, 6, 6, 3, 3, 3, 3))):
        assert CUTTING.by_rule(pieces, capacity, 3) == CUTTING.fewest(pieces, capacity, 3) + 1


async def _waiters(source: Any, answered: asyncio.Event, cancel: bool) -> list[Any]:
    tasks = [asyncio.create_task(source.token()) for _ in range(6)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    if cancel:
        tasks[0].cancel()
        await asyncio.sleep(0)
    answered.set()
    return await asyncio.gather(*tasks, return_exceptions=True)


def _served(*, shielded: bool, cancel: bool = True, fails: bool = False) -> tuple[list[str], int]:
    """Return what six waiters of one renewal get, and how often the token was fetched."""
    source = "import asyncio, time\n" + block(CASES["coding-token-renewal"])
    if shielded:
        source = source.replace("await self._renewal", "await asyncio.shield(self._renewal)")
    space = defined(source)
    calls: list[int] = []

    async def main() -> list[Any]:
        answered = asyncio.Event()

        async def fetch() -> tuple[str, float]:
            calls.append(1)
            await answered.wait()
            if fails:
                raise OSError("partner")
            return "token", 3_600.0

        return await _waiters(space["TokenSource"](fetch), answered, cancel)

    shown = [each if isinstance(each, str) else type(each).__name__ for each in asyncio.run(main())]
    return shown, len(calls)


def test_one_stopped_handler_cancels_all_without_shield() -> None:
    """The cancellation of one waiter ends all waiters of the class in the prompt."""
    assert _served(shielded=False) == (["CancelledError"] * 6, 1)


def test_shield_keeps_the_other_handlers() -> None:
    """With the ideal answer's change only the stopped waiter is cancelled, and one fetch is made."""
    assert _served(shielded=True) == (["CancelledError", *["token"] * 5], 1)


def test_a_failing_fetch_reaches_every_waiter() -> None:
    """An exception of the fetch is raised in each waiter, so it is not swallowed (claim D)."""
    assert _served(shielded=True, cancel=False, fails=True) == (["OSError"] * 6, 1)


def test_the_drive_is_limited_by_latency() -> None:
    """The figures of the prompt fit one read in flight of 80 us on the drive and 12 us in Python."""
    record = 80e-6 + 12e-6
    assert round(1 / record, -1) == 10_870
    assert round(40e6 * record / 60) == 61
    assert round(0.08e-3 * 10_870, 2) == 0.87 == round(80 / 92, 2)
    assert round(10_870 * 12e-6, 2) == 0.13
    assert pytest.approx(480) == 40e6 * 12e-6
    assert [round(40e6 / (workers * 10_870) / 60, 1) for workers in (8, 16)] == [7.7, 3.8]
    assert round(40e6 * 4_096 / 3.0e9) == 55
    assert round(40e6 / 600_000) == 67


def test_share_links_can_be_shifted() -> None:
    """The signature of the prompt's link is valid for other documents and later expiries."""
    space: dict[str, Any] = {"hmac": hmac, "hashlib": hashlib, "KEY": b"any key"}
    exec(re.findall(r"def sign.*?\n\n", block(CASES["coding-share-link-audit"]), re.DOTALL)[0], space)
    sign = space["sign"]
    wanted = sign("4127", "1767225600", "view")
    for doc, expiry in (("412", "71767225600"), ("41", "271767225600"), ("4", "1271767225600")):
        assert sign(doc, expiry, "view") == wanted
    assert round(2**31 / 10_000 / 3_600) == 60
    assert 1970 + 71_767_225_600 // 31_556_952 == 4244


BASH = shutil.which("bash")
CALL = "if nightly_dump; then"
VARIANTS: dict[str, tuple[Callable[[str], str], bool, bool]] = {
    "as it is": (lambda script: script, False, False),
    "a": (lambda script: script.replace("  local target", "  set -e\n  local target"), False, False),
    "b": (lambda script: script.replace(CALL, "if ( set -e; nightly_dump ); then"), False, False),
    "c": (
        lambda script: (
            script[: script.index(CALL)] + 'nightly_dump && echo PRUNED && echo "done" || echo MAILED'
        ),
        False,
        False,
    ),
    "d": (lambda script: script[: script.index(CALL)] + "nightly_dump\necho PRUNED", True, False),
    "e": (
        lambda script: script.replace("nightly_dump() {", "set -E; trap 'echo MAILED' ERR\nnightly_dump() {"),
        False,
        False,
    ),
    "f": (
        lambda script: script.replace(
            CALL, "if bash -c 'set -euo pipefail; '\"$(declare -f nightly_dump)\"'; nightly_dump'; then"
        ),
        True,
        True,
    ),
}


@pytest.mark.skipif(BASH is None, reason="needs Bash")
@pytest.mark.parametrize("variant", VARIANTS)
def test_backup_variants_behave_as_the_ideal_answer_says(variant: str, tmp_path: Path) -> None:
    """Each proposal stops the deletion and sends the mail exactly where the ideal answer says so."""
    change, stopped, mailed = VARIANTS[variant]
    script = re.sub(r"find .*-delete", "echo PRUNED", block(CASES["coding-night-backup"]))
    script = re.sub(r"mail -s .*", "echo MAILED", script).replace("/backup", str(tmp_path))
    script = change(script.replace("pg_dump clinic", "false"))
    run = subprocess.run([str(BASH), "-c", script], capture_output=True, text=True, timeout=30, check=False)
    assert ("PRUNED" not in run.stdout, "MAILED" in run.stdout) == (stopped, mailed), run.stderr


@pytest.mark.skipif(BASH is None, reason="needs Bash")
def test_an_empty_archive_is_valid(tmp_path: Path) -> None:
    """gzip turns nothing into 20 bytes that gzip -t accepts."""
    command = f"gzip < /dev/null > {tmp_path}/a.gz && gzip -t {tmp_path}/a.gz && wc -c < {tmp_path}/a.gz"
    run = subprocess.run([str(BASH), "-c", command], capture_output=True, text=True, timeout=30, check=True)
    assert int(run.stdout) == 20
