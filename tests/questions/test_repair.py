"""Repairing damaged texts."""

from __future__ import annotations

import pytest
from every_row import every_row

from assay.questions.repair import Repair, is_chinese, lost, repair

CHINESE = "中国的文化，很好。他们是一个大家庭"
MENDABLE = "中国的文化，很好。x"


@pytest.mark.parametrize(
    "text",
    [
        "已知 x² + y³ ≤ 5，求 H₂O 的质量（单位：㎏、℃），①②③ 中正确的是？",
        "90° × 2 ± 1 · é, “quoted” — yes… naïve Ångström São Paulo",
        "$\\begin{array}{l} a & b \\\\ c & d \\end{array}$ and R&D; ½ of 5",
        "第1题：“新子学”《禹贡》～【甲】……",
        "if a < b and b > c: print('x')",
    ],
)
def test_what_is_meant_is_left_alone(text: str) -> None:
    """Mathematics, formulas, Chinese punctuation and signs of their own stay as they are."""
    assert repair(text) == (text, ())


@every_row(
    "text, mended, made",
    [
        ("cafÃ© et thÃ©", "café et thé", Repair.MOJIBAKE),
        (CHINESE.encode("gb18030").decode("latin-1"), CHINESE, Repair.MOJIBAKE),
        (MENDABLE.encode().decode("gb18030"), MENDABLE, Repair.MOJIBAKE),
        ("Ａ．ＣＯ２ １００％＋５", "A.CO2 100%+5", Repair.WIDTHS),
        ("a﹣b﹪", "a-b%", Repair.WIDTHS),
        ("one\u00a0two\u3000three\r\nfour\u2028five", "one two three\nfour\nfive", Repair.SPACES),
        ("zero\u200bwidth\ufeff soft\u00adhyphen", "zerowidth softhyphen", Repair.INVISIBLE),
        ("bell\x07 and \x1descape", "bell and escape", Repair.CONTROLS),
        ("ﬁrst ﬂight ⼀个⽉", "first flight 一个月", Repair.LOOK_ALIKES),
        ("a &lt; b &amp; c &#39;d&#39;", "a < b & c 'd'", Repair.ENTITIES),
        ("What is f（x）？ Here，or there。", "What is f(x)? Here, or there.", Repair.PUNCTUATION),
        ("It costs 7，000 dollars，or 12，5.", "It costs 7,000 dollars, or 12, 5.", Repair.PUNCTUATION),
    ],
)
def test_damage_is_repaired_and_named(text: str, mended: str, made: Repair) -> None:
    """Each kind of damage has a name of its own, and nothing else is done."""
    assert repair(text) == (mended, (made,))


@pytest.mark.parametrize("text", ["who\ufffdle", "锟斤拷锟斤拷", "a \ue004 bullet", "a bene\x1dt"])
def test_what_no_repair_brings_back_is_lost(text: str) -> None:
    """Replacement characters, what they become in GBK, a font's own signs, a control sign for a ligature."""
    assert lost(repair(text)[0])


def test_nothing_is_lost_of_a_good_text() -> None:
    """Chinese, English and mathematics hold nothing that is lost."""
    assert not lost(CHINESE + " x² naïve")


def test_white_space_around_a_text_is_no_damage() -> None:
    """It goes without being told."""
    assert repair("  \n what? \t") == ("what?", ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CHINESE, True),
        ("解方程 x+1=2，求 x", True),
        (r"已知 $\frac{1+2 \mathrm{i}}{1-2 \mathrm{i}}=\sqrt{a^{2}+b^{2}}$, 则 $a=(\quad)$", True),
        ("Who wrote 红楼梦, and when was it written?", False),
        ("He paid $5 for 红楼梦 and $4 for 水浒传.", False),
        ("$x²$", False),
        ("x", False),
    ],
)
def test_the_language_is_told_by_the_characters(text: str, expected: bool) -> None:
    """Two Chinese characters for each word make a text Chinese, however long the formulas in it are."""
    assert is_chinese(text) is expected
