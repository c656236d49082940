"""Coverage of the 95 % intervals of the rename drop and of bad flips, with known truth. Prints JSON.

python benchmarks/twin_intervals.py --models 1000
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass

import numpy as np

from assay.core.case import TwinKind
from assay.ranking.board.keyed_answers import Answers, KeyedQuestion
from assay.ranking.board.measured import Status
from assay.ranking.board.twins import answers_to_twins

SEED = 23


@dataclass(frozen=True, slots=True)
class World:
    """So many concepts with so many pairs. `right` originals, `kept` under the change, `gained` by it.

    Each of the three shares varies between concepts, with the correlation `alike` within a concept.
    """

    concepts: int
    pairs: int
    right: float
    kept: float
    gained: float
    alike: float

    @property
    def drop(self) -> float:
        """The true rename drop."""
        return self.right - (self.right * self.kept + (1.0 - self.right) * self.gained)

    def draw(self, rng: np.random.Generator) -> Answers:
        """Draw one model's answers to questions and to a renamed and a pressured twin of each."""
        size = (1.0 - self.alike) / self.alike
        right, kept, gained = (
            np.repeat(rng.beta(share * size, (1.0 - share) * size, self.concepts), self.pairs)
            for share in (self.right, self.kept, self.gained)
        )
        original = rng.random(len(right)) < right
        twin = rng.random(len(right)) < np.where(original, kept, gained)
        return self.answers(original, twin)

    def answers(self, original: np.ndarray, twin: np.ndarray) -> Answers:
        """Return the answers of a model whose renamed and pressured twins are right alike."""
        kinds = (("q", None), ("r", TwinKind.RENAMED), ("p", TwinKind.PRESSURED))
        questions = tuple(
            KeyedQuestion(
                f"{prefix}{at}",
                f"c{at // self.pairs}",
                "x",
                4,
                twin=kind,
                twin_of=None if kind is None else f"q{at}",
            )
            for prefix, kind in kinds
            for at in range(len(original))
        )
        table = np.concatenate([original, twin, twin]).reshape(1, 1, -1)
        known, nothing = np.ones(table.shape), np.zeros(table.shape, dtype=bool)
        return Answers(
            models=("model",),
            questions=questions,
            status=np.full(table.shape, int(Status.OK)),
            right=table,
            read=known.astype(bool),
            truncated=nothing,
            tokens=known,
            latency=known,
            cost=known,
        )


WORLDS = (
    World(20, 5, 0.7, 0.8, 0.15, 0.3),
    World(30, 4, 0.6, 0.75, 0.2, 0.15),
    World(12, 3, 0.5, 0.6, 0.3, 0.4),
    World(20, 1, 0.9, 0.95, 0.1, 0.1),
)


def coverage(world: World, models: int, seed: int = SEED) -> tuple[float, float]:
    """Return the shares of intervals of the drop and of bad flips that hold the truth."""
    rng = np.random.default_rng(seed)
    held = np.zeros(2)
    for _ in range(models):
        found = answers_to_twins(world.draw(rng), 0)
        assert found.renamed is not None
        assert found.pressured is not None
        for place, (rate, truth) in enumerate(
            ((found.renamed.drop, world.drop), (found.pressured.flips, 1.0 - world.kept))
        ):
            assert rate.interval is not None
            held[place] += rate.interval.low <= truth <= rate.interval.high
    drop, flips = held / models
    return float(drop), float(flips)


def main() -> None:
    """Print the coverage in each world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=1000)
    models = parser.parse_args().models
    rows = []
    for world in WORLDS:
        drop, flips = coverage(world, models)
        rows.append({**asdict(world), "drop": drop, "flips": flips})
    print(json.dumps({"seed": SEED, "models": models, "worlds": rows}, indent=2))


if __name__ == "__main__":
    main()
