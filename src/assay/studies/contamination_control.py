"""Control questions: made up at random, so a model cannot have seen them and can only guess the piece."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from assay.core.question import Language, Question, QuestionKind

_TEMPLATES: Final[dict[Language, tuple[str, ...]]] = {
    "en": (
        "In {year} the surveyor {name} of {place} recorded that {n} of the {m} {thing} he examined were "
        "{state}. Which conclusion about the {thing} of {place} does his record allow?",
        "{name} keeps {n} {thing} and {m} {other} in a store near {place}. Every week {k} of the {thing} are "
        "found {state}. After how many weeks are fewer {thing} than {other} left?",
        "According to the statute that the council of {place} passed in {year}, whoever sells {state} "
        "{thing} must pay {n} {coin} to {name}. State two reasons why such a rule may have been adopted.",
        "A trial near {place} compared {n} patients who were given {thing} with {m} who were given {other}. "
        "{name} reported that {k} of the former stayed {state}. Name a weakness of this design.",
        "The {year} essay by {name} holds that {thing} and {other} should never be {state} in {place}. "
        "Explain which assumption the argument makes about {other}.",
    ),
    "zh": (
        "{year}年，{place}的勘测员{name}记录：他检查的{m}件{thing}中有{n}件{state}。根据这一记录，可以对{place}的{thing}得出什么结论？",
        "{name}在{place}附近的仓库里存有{n}件{thing}和{m}件{other}，每周发现{k}件{thing}{state}。几周之后剩下的{thing}少于{other}？",
        "根据{place}议事会于{year}年通过的条例，凡出售{state}的{thing}者须向{name}缴纳{n}枚{coin}。请说明制定这一规定的两个理由。",
        "一项在{place}开展的试验比较了使用{thing}的{n}名患者和使用{other}的{m}名患者，{name}报告前者中有{k}人{state}。请指出这一设计的缺点。",
        "{name}在{year}年的文章中主张，{thing}与{other}在{place}绝不应当{state}。请说明这一论证对{other}作了什么假定。",
    ),
}
_PARTS: Final[dict[Language, tuple[Sequence[str], ...]]] = {
    "en": (
        ("Bar", "Kel", "Mor", "Tan", "Vis", "Hol", "Ged", "Lun", "Pas", "Ruk", "Sem", "Dov"),
        ("abe", "ino", "uru", "ela", "opa", "isto", "arde", "ulme"),
        ("ck", "ton", "vell", "rand", "sky", "mir", "gast", "dorf"),
        (
            "brass hinges",
            "clay pipes",
            "wool bales",
            "seed trays",
            "glass floats",
            "oak staves",
            "tin ladles",
        ),
        ("cracked", "gilded", "mislabelled", "unglazed", "waterlogged", "hand-sewn", "double-stamped"),
        ("ducats", "florins", "groats", "thalers"),
    ),
    "zh": (
        ("沈", "韩", "杨", "魏", "陶", "姜", "戚", "谢", "邹", "喻", "柏", "水"),
        ("石", "柳", "云", "白", "青", "松", "梅", "古"),
        ("桥", "湾", "岭", "沙", "渡", "溪", "坪", "堡"),
        ("铜铰链", "陶管", "羊毛包", "育苗盘", "玻璃浮子", "橡木桶板", "锡勺"),
        ("开裂", "镀金", "错贴标签", "未上釉", "受潮", "手缝", "重复盖章"),
        ("铜元", "银币", "铁钱", "纸券"),
    ),
}


def control_questions(language: Language, n: int, rng: random.Random) -> list[Question]:
    """Return `n` made-up questions in the style of examinations, with random names and numbers."""
    return [
        Question(
            uuid=f"control-{language}-{number}",
            kind=QuestionKind.SHORT_ANSWER,
            stem=rng.choice(_TEMPLATES[language]).format(**_filling(language, rng)),
            discipline="",
            language=language,
        )
        for number in range(n)
    ]


def _filling(language: Language, rng: random.Random) -> dict[str, object]:
    first, middle, last, things, states, coins = _PARTS[language]
    thing, other = rng.sample(things, 2)
    if language == "zh":
        name = rng.choice(first) + rng.choice(middle) + rng.choice(middle)
        place = rng.choice(middle) + rng.choice(last)
    else:
        name, place = (rng.choice(first) + rng.choice(middle) + rng.choice(last) for _ in range(2))
    k, n, m = sorted(rng.sample(range(3, 900), 3))
    return {
        "name": name,
        "place": place,
        "thing": thing,
        "other": other,
        "state": rng.choice(states),
        "coin": rng.choice(coins),
        "year": rng.randrange(1612, 1979),
        "k": k,
        "n": n,
        "m": m,
    }
