"""Which family a model's name belongs to: a declared table of patterns, and of organisations' names."""

from __future__ import annotations

import re

PATTERNS: tuple[tuple[str, str], ...] = (
    # Made from another's weights or answers: who trained them last comes before what they were made of.
    (r"r1-distill|deepseek", "deepseek"),
    (r"nemotron", "nvidia"),
    (r"hermes", "nous"),
    (r"wizardlm", "microsoft"),
    (r"olmo|tulu|molmo", "ai2"),
    (r"vicuna", "lmsys"),
    (r"dolphin", "cognitivecomputations"),
    (r"zephyr|smollm", "huggingface"),
    (r"starling", "nexusflow"),
    (r"openchat", "openchat"),
    (r"mai-ds|mai-\d", "microsoft"),
    (r"<sonar", "perplexity"),
    # Named by their makers.
    (r"gpt-?(?:j(?:-?6b)?(?![a-z])|neox?)", "eleutherai"),
    (r"gpt|<o[1-9]>|davinci|<codex", "openai"),
    (r"claude", "anthropic"),
    (r"gemini|gemma|palm-2|<bison|learnlm", "google"),
    (r"qwen|qwq|qvq|tongyi", "alibaba"),
    (r"llama|<muse-spark", "meta"),
    (r"mistral|mixtral|codestral|ministral|magistral|devstral|pixtral|mathstral|voxtral", "mistral"),
    (r"grok", "xai"),
    (r"<command>|c4ai|<aya", "cohere"),
    (r"<nova>|titan", "amazon"),
    (r"<phi>", "microsoft"),
    (r"glm", "zhipu"),
    (r"kimi|moonshot", "moonshot"),
    (r"minimax|<abab", "minimax"),
    (r"granite", "ibm"),
    (r"jamba|<jurassic|<j2>", "ai21"),
    (r"ernie", "baidu"),
    (r"doubao|<seed>", "bytedance"),
    (r"hunyuan|<hy\d", "tencent"),
    (r"<yi>", "01ai"),
    (r"<step-?\d", "stepfun"),
    (r"internlm|intern-?s1|internvl", "internlm"),
    (r"baichuan", "baichuan"),
    (r"falcon", "tii"),
    (r"<reka", "reka"),
    (r"exaone", "lg"),
    (r"<solar", "upstage"),
    (r"dbrx", "databricks"),
    (r"stablelm", "stability"),
    (r"<lfm", "liquid"),
    (r"<mimo", "xiaomi"),
    (r"longcat", "meituan"),
    (r"palmyra", "writer"),
    (r"<mercury", "inception"),
    (r"inflection", "inflection"),
)
"""In the order tried: the first that occurs in the name decides. Beside `<` and `>` no letter stands."""

ORGANISATIONS: dict[str, str] = {
    "openai": "openai",
    "anthropic": "anthropic",
    "google": "google",
    "googledeepmind": "google",
    "deepmind": "google",
    "alibaba": "alibaba",
    "alibabacloud": "alibaba",
    "tongyi": "alibaba",
    "meta": "meta",
    "metaai": "meta",
    "facebook": "meta",
    "mistral": "mistral",
    "mistralai": "mistral",
    "deepseekai": "deepseek",
    "xai": "xai",
    "cohere": "cohere",
    "coherelabs": "cohere",
    "coherelabscommunity": "cohere",
    "amazon": "amazon",
    "aws": "amazon",
    "microsoft": "microsoft",
    "nvidia": "nvidia",
    "zhipu": "zhipu",
    "zhipuai": "zhipu",
    "zai": "zhipu",
    "zaiorg": "zhipu",
    "thudm": "zhipu",
    "moonshotai": "moonshot",
    "ibm": "ibm",
    "ibmgranite": "ibm",
    "ai21": "ai21",
    "ai21labs": "ai21",
    "baidu": "baidu",
    "bytedance": "bytedance",
    "bytedanceseed": "bytedance",
    "tencent": "tencent",
    "01ai": "01ai",
    "stepfun": "stepfun",
    "stepfunai": "stepfun",
    "allenai": "ai2",
    "ai2": "ai2",
    "nousresearch": "nous",
    "nous": "nous",
    "perplexity": "perplexity",
    "tiiuae": "tii",
    "xiaomi": "xiaomi",
    "meituan": "meituan",
    "inception": "inception",
    "inflection": "inflection",
    "liquid": "liquid",
    "rekaai": "reka",
    "upstage": "upstage",
    "databricks": "databricks",
    "writer": "writer",
}
"""Organisations as registries and routers write them, without case and signs between."""


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("<", r"(?<![a-z])").replace(">", r"(?![a-z])"))


_TABLE = tuple((_compiled(pattern), family) for pattern, family in PATTERNS)
_SIGNS = re.compile(r"[^a-z0-9]+")


def family_of_name(name: str) -> str | None:
    """Return the family that the table of patterns finds in a model's name, else None."""
    lower = name.lower()
    return next((family for pattern, family in _TABLE if pattern.search(lower)), None)


def family_of_organisation(name: str) -> str | None:
    """Return the family of an organisation under any of its usual writings, else None."""
    return ORGANISATIONS.get(_SIGNS.sub("", name.lower()))
