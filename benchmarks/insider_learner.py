"""The accuracy of learners that know how causal questions are made, but do not solve them. Prints JSON.

They know each concept's claims, read every fact on its own and try simple arithmetic on the told numbers; a
logistic regression on pairs of options learns from training forms which features go with the right option.
For numbers they also learn, by the words of a question, where its answer lies among the four. They never
join facts to a graph, nor a question to its formula. Features named `lists:` use how many facts name each
list, which is a trace of the graph, so figures are given without them too. `alone` shows on test forms the
features that were strongest on training forms.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, partial
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from assay.causal.item import Item
from assay.causal.stories.claims import Template
from assay.stats.intervals import clopper_pearson
from assay.studies.causal.library import concepts, library
from kept_forms import FIRST_FRESH, PLANS
from stem_features import NUMBER, SENTENCE, STOP, question_of
from stem_learners import cached

Said = tuple[Template, bool, tuple[str, ...]]  # a claim, whether it is asserted, the factors it names
SLOT = re.compile(r"\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}")
KINDS = "|".join(kind for kind, _ in library().facts.kinds)
LIST = re.compile(rf"\bthe (\w+) (?:{KINDS})\b|\b(s\d)\b")
CLAUSE = re.compile(r", (?:and|while) |[.;] |[“”]")
DEPENDS = re.compile(r"depend|dr[ie]v|respond|affects|pa\(|parents")
EXCLUDES = re.compile(r"except|but|missing")
NAMING = re.compile(r"there are these|are listed here|^the \w+ are the|sets are")
UNRECORDED = re.compile(r"not recorded|no figures|do not include|not measured")
FAMILIES = {"separated": "apart", "separated_after": "apart", "causes": "cause", "adjacent": "cause"}
LOOKS = (
    "rank",
    "inner",
    "size",
    "rank of size",
    "negative",
    "from mean",
    "nearest",
    "farthest",
    "alone in sign",
)
CROSSED, PENALTY, LEAST, SHOWN = 0.3, 0.02, 20, 8


@cache
def patterns(concept: str) -> list[tuple[Template, bool, re.Pattern[str]]]:
    """Return what the claims of a concept look like, with a group for each factor that they name."""
    own = concepts()[concept.replace("-", "_")]
    found = {each.name: each for each in (*own.claims, *own.reflex)}.values()
    both = [
        (each, at, text)
        for each in found
        for at in (0, 1)
        for text in ((each.yes, each.no)[at], each.formal[at])
    ]
    return [(each, not at, re.compile(SLOT.sub(partial(_part, each), text), re.I)) for each, at, text in both]


def _part(template: Template, slot: re.Match[str]) -> str:
    one = "([^“”;.]+?)" if slot[1] in template.slots else "[^“”;.]+?"
    return one if slot[2] is None else f"(?:{slot[2]}|{slot[3]})"


def claims(text: str, concept: str) -> list[Said]:
    """Return the claims in a text in their order; of matches that overlap the longest."""
    found = []
    for template, true, pattern in patterns(concept):
        for match in pattern.finditer(text):
            named = [name for one in match.groups() for name in re.split(", | and ", one.strip("{}").lower())]
            found.append((*match.span(), (template, true, tuple(dict.fromkeys(named)))))
    kept: list[tuple[int, int, Said]] = []
    for one in sorted(found, key=lambda each: (each[0] - each[1], len(each[2][2]))):
        if all(one[1] <= start or end <= one[0] for start, end, _ in kept):
            kept.append(one)
    return [said for _, _, said in sorted(kept, key=lambda each: each[0])]


def stated(item: Item) -> list[list[Said]]:
    """Return what each option claims, in its own words or by a verdict on statements in the stem."""
    own = [claims(option, item.concept) for option in item.options]
    if any(own):
        return own
    asked = question_of(item.stem)
    two = re.findall(r"Only (?:the statement of )?(.*?) is ", "\n".join(item.options))
    first = min(two, key=lambda name: asked.lower().find(name.lower()), default="\n")
    told = claims(asked, item.concept)
    verdicts = [_verdict(option, first) for option in item.options]
    return [[(a, b == true, c) for (a, b, c), true in zip(told, row, strict=False)] for row in verdicts]


def _verdict(option: str, first: str) -> list[bool]:
    text, numerals = option.lower(), re.findall(r"\b[IV]+\b", option)
    if numerals:
        return [numeral in numerals for numeral in ("I", "II", "III", "IV", "V")]
    if "conclusion" in text:
        return [f"{part} is correct" in text or "both correct" in text for part in ("conclusion", "reason")]
    return [first in option, first not in option] if "only" in text else [text[:4] in ("both", "all ")] * 5


def story(item: Item) -> list[dict[str, float]]:
    """Return features of the options of a question on a graph."""
    body = item.stem[: item.stem.rfind(question_of(item.stem))].lower()
    clauses = CLAUSE.split(body)
    facts = [clause for clause in clauses if LIST.search(clause) and not NAMING.search(clause)]
    shape, asked, options = lists(body, facts), claims(question_of(item.stem), item.concept), stated(item)
    rows: list[dict[str, float]] = []
    for place, said in enumerate(options):
        others = [each for at, own in enumerate(options) if at != place for each in own]
        row: Counter[str] = Counter()  # sums over claims and the factors that they name
        for template, true, named in said:
            family, sign = FAMILIES.get(template.query, "valid"), 1 if true else -1
            adjusts, claim = template.query in ("adjusts", "effect", "minimal"), (template.name, named)
            same = [b for a, b, c in others if (a.name, c) == claim]
            kind = [b for a, b, _ in others if a.name == template.name]
            row.update({f"lists: {family} {name}": value * sign for name, value in shape.items()})
            row.update([f"claim: {template.name} {true}", f"family: {family} {true}", f"asserted: {true}"])
            row.update({"factors asserted": sign * len(named), "adjusting believes": adjusts and not true})
            row["marginal believes"] += adjusts and (any(template.arguments[-1]) != true)
            row["said in the stem"] += any((a.name, c) == claim for a, _, c in asked)
            row.update({"kind elsewhere": len(kind), "kind and sign elsewhere": kind.count(true)})
            row.update({"same claim elsewhere": same.count(true), "opposite elsewhere": same.count(not true)})
            for name in named:
                about = [clause for clause in clauses if re.search(rf"\b{re.escape(name)}\b", clause)]
                signs = {"depends": DEPENDS, "excluded": EXCLUDES, "unrecorded": UNRECORDED, "facts": LIST}
                told = {key: sum(map(bool, map(signs[key].search, about))) for key in signs}
                row.update({f"named {key}": count for key, count in told.items()})
                row.update({f"named {key}, asserted": sign * count for key, count in told.items()})
                row.update({"elsewhere": sum(name in c for _, _, c in others), "place": body.find(name)})
        row.update({"claims": len(said), "length": len(item.options[place])})
        rows.append(dict(row))
    return rows


def lists(body: str, facts: Sequence[str]) -> Mapping[str, Any]:
    """Return figures of how many facts put something on each list, or make something depend on it."""
    names = {name or letter for name, letter in LIST.findall(body)}
    on, after = Counter[str](), Counter[str]()
    for fact in facts:
        here = {name or letter for name, letter in LIST.findall(fact)}
        counted = after if DEPENDS.search(fact) else on
        counted.update(names - here if counted is on and EXCLUDES.search(fact) else here)
    used = [(on[name], after[name]) for name in names] or [(0, 0)]
    figures = {
        "on x after": sum(a * b for a, b in used),
        "lists": len(names),
        "unused": sum(not b for _, b in used),
    }
    return figures | {"largest": max(a for a, _ in used), "most after": max(b for _, b in used)}


def reckonings(stem: str) -> Mapping[str, np.ndarray]:
    """Return for each kind of simple arithmetic how often it gives each whole percentage from -100 to 100."""
    known, counts, header = [], [], ""
    for line in SENTENCE.split(stem[: stem.rfind(question_of(stem))]):
        header = line if line.startswith("|") and not re.search(r"\d|--", line) else header
        text = line + header * line.startswith("|")
        words = {word for word in re.findall(r"[a-z][\w'-]+", text.lower()) if word not in STOP}
        percents = re.findall(r"(\d+(?:\.\d+)?)%", line)
        known += [(float(one) / 100, words) for one in percents]
        whole = [float(one.replace(",", "")) for one in re.findall(r"\d[\d,]*(?![\d,.%])", line)]
        if len(whole) == 2 and not percents and whole[1] <= whole[0] > 0:
            counts.append(whole)
            known.append((whole[1] / whole[0], words))
    told, pairs = np.array([value for value, _ in known][:16] or [0.0]), list(combinations(counts, 2))
    parts = [a / sum(size for size, _ in counts) for count in counts for a in count]
    pooled = np.array([(a[1] + b[1]) / (a[0] + b[0]) for a, b in pairs] or [0.0])
    mixes = np.concatenate([told, parts, [a[0] / (a[0] + b[0]) for a, b in pairs]])[:24]
    near = [p - q for (p, a), (q, b) in permutations(known, 2) if len(a ^ b) <= 4 and len(a & b) > 2]
    close, gaps = np.array(near or [0.0])[:60], np.subtract.outer(told, told)[~np.eye(len(told), dtype=bool)]
    products, mix = np.outer(told, mixes), mixes[:, None, None]
    made = {"told": told, "complement": 1 - told, "pooled": pooled, "parts": np.array(parts)}
    made |= {"difference": gaps, "near": close, "pooled gap": np.subtract.outer(pooled, pooled)}
    made |= {"half": np.add.outer(close, close) / 2, "product": products, "shrunk": np.outer(mixes, close)}
    made |= {
        "mean": mix * told[:, None] + (1 - mix) * told,
        "weighted": mix * close[:, None] + (1 - mix) * close,
    }
    inside = {name: array[np.abs(array) <= 1] * 100 for name, array in made.items()}
    return {n: np.bincount(np.rint(a).astype(int) + 100, minlength=201) for n, a in inside.items()}


def numeric(item: Item) -> list[dict[str, float]]:
    """Return features of the options of a question with numbers."""
    values = [float(NUMBER.findall(text)[0].replace("−", "-").replace(",", "")) for text in item.options]
    made, mean, rows = reckonings(item.stem), sum(values) / len(values), []
    asked = set(re.findall(r"[a-z]+", question_of(item.stem).lower()))
    known = np.flatnonzero(made["told"]) - 100
    for place, value in enumerate(values):
        rest = values[:place] + values[place + 1 :]
        pairs, rank = list(permutations(rest, 2)), sum(other < value for other in rest)
        row = {"rank": rank, "inner": 0 < rank < 3, "size": abs(value), "from mean": abs(value - mean)}
        row |= {"rank of size": sum(abs(other) < abs(value) for other in rest), "zero": value == 0}
        row |= {"nearest": min(abs(value - x) for x in rest), "farthest": max(abs(value - x) for x in rest)}
        row |= {"negative": value < 0, "alone in sign": all((value < 0) != (x < 0) for x in rest)}
        row |= {"negative elsewhere": -value in rest, "complement elsewhere": 100 - value in rest}
        sums = {"sum": [a + b for a, b in pairs], "difference": [a - b for a, b in pairs]}
        sums |= {"midpoint": [(a + b) / 2 for a, b in pairs], "end": [2 * a - b for a, b in pairs]}
        parts = [x * k / 100 for x in rest for k in known]
        sums |= {"told part": parts, "told gap": [x + by * k for x in rest for k in known for by in (1, -1)]}
        row |= {name: int((np.abs(np.array(own) - value) <= 0.6).sum()) for name, own in sums.items()}
        ways = {name: int(count[round(value) + 100]) for name, count in made.items() if abs(value) <= 100}
        row |= {f"reckoned: {name}": math.log1p(count) for name, count in ways.items()}
        row |= {f"found: {name}": count > 0 for name, count in ways.items()}
        looks = {name: row[name] for name in LOOKS}
        rows.append(row | {f"{name} where {word}": at for name, at in looks.items() for word in asked})
    return rows


class Table:
    """Features of all options, less their question's mean: questions x 4 x features, training first."""

    def __init__(self, items: Sequence[Item], fitted: int) -> None:
        rows = [numeric(item) if item.variant == "numeric" else story(item) for item in items]
        known = Counter(name for four in rows[:fitted] for name in {name for row in four for name in row})
        self.items, self.fitted, self.names = items, fitted, sorted(n for n in known if known[n] >= LEAST)
        self.values = np.array([[[row.get(n, 0.0) for n in self.names] for row in four] for four in rows])
        self.values -= self.values.mean(axis=1, keepdims=True)
        self.values /= np.maximum(self.values[:fitted].std(axis=(0, 1)), 1e-9)
        self.keys = np.array([item.key for item in items])
        codes = [[item.concept for item in items], [item.variant for item in items]]
        self.cells = np.stack([np.unique(each, return_inverse=True)[1] for each in codes], axis=1)

    def logit(self, used: np.ndarray) -> np.ndarray:
        """Return scores of all options by weights that all questions share, and by their cells' own."""
        rows = sparse.csr_array(self.values[:, :, used].reshape(-1, len(used)))
        cells = np.repeat(self.cells, 4, axis=0)
        masks = [cells[:, [at]] == code for at in (0, 1) for code in np.unique(cells[:, at])]
        crossed = sparse.csr_array(sparse.hstack([rows, *(rows.multiply(mask * CROSSED) for mask in masks)]))
        right = np.repeat(4 * np.arange(self.fitted) + self.keys[: self.fitted], 3)
        wrong = np.flatnonzero((np.arange(4) != self.keys[: self.fitted, None]).ravel())
        pairs = sparse.csr_array(crossed[right] - crossed[wrong])
        model = LogisticRegression(C=PENALTY, fit_intercept=False, max_iter=300)
        model.fit(sparse.vstack([pairs, -pairs]), np.repeat([1, 0], len(right)))
        return (crossed @ model.coef_[0]).reshape(-1, 4)

    def hits(self, scores: np.ndarray) -> np.ndarray:
        """Return each question's chance to be answered rightly: equal scores are drawn among."""
        best = scores >= scores.max(axis=1, keepdims=True) - 1e-9
        return best[np.arange(len(self.keys)), self.keys] / best.sum(axis=1)

    def results(self) -> dict[str, Any]:
        """Return the accuracies on the test questions."""
        variants = np.array([item.variant for item in self.items])[self.fitted :]
        plain = np.array([at for at, name in enumerate(self.names) if not name.startswith("lists:")])
        found: dict[str, Any] = {}
        for label, used in (("all features", np.arange(len(self.names))), ("without lists", plain)):
            right = self.hits(self.logit(used))[self.fitted :]
            parts = {name: cell(right[variants == name]) for name in np.unique(variants).tolist()}
            found[label] = {"all": cell(right), **parts}
        tried = {}
        for at, name in enumerate(self.names):
            tried[f"most {name}"] = self.hits(self.values[:, :, at])
            tried[f"least {name}"] = self.hits(-self.values[:, :, at])
        best = sorted(tried, key=lambda one: -tried[one][: self.fitted].mean())[:SHOWN]
        return {**found, "alone": {name: cell(tried[name][self.fitted :]) for name in best}}


def cell(chances: np.ndarray) -> dict[str, Any]:
    """Return an accuracy with its 95 % interval."""
    found = clopper_pearson(round(float(chances.sum())), len(chances))
    ends = [round(found.low, 4), round(found.high, 4)]
    return {"n": len(chances), "accuracy": round(float(chances.mean()), 4), "interval": ends}


def main() -> None:
    """Read or generate forms, learn from some and print the accuracies on the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", type=int, default=200, help="training forms")
    parser.add_argument("--test", type=int, default=200, help="fresh forms to answer")
    parser.add_argument("--plan", choices=PLANS, default="bundles")
    parser.add_argument("--cache", type=Path, help="pickle file that keeps generated forms")
    given = parser.parse_args()
    made = cached(
        [*range(given.train), *range(FIRST_FRESH, FIRST_FRESH + given.test)], given.cache, given.plan
    )
    results: dict[str, Any] = {"training_forms": given.train, "test_forms": given.test}
    for name, wanted in (("stories", False), ("numbers", True)):
        asked = [[i for i in form if i.options and (i.variant == "numeric") == wanted] for form in made]
        fitted = sum(map(len, asked[: given.train]))
        if fitted:
            results[name] = Table([item for form in asked for item in form], fitted).results()
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
