"""Build a bank of 228,604 questions, screen it and check it for near-duplicates. Prints JSON.

Real questions are imported from the recordings in ../shared/data (or `--data`), and multiple-choice questions
are expanded into statements. Planted copies with labels and synthetic filling are added. The figures are the
peak memory of this process and the time of each phase; making the files is not counted.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Engine, func, select

from assay.bank.augment import expand_choices
from assay.bank.ingest import IngestOptions, import_file
from assay.bank.redundancy import Redundancy, find_duplicates
from assay.bank.screening import screen_bank
from assay.core.question import SourceKind
from assay.files.sealing import KeySealer
from assay.results.bank_import import Account
from assay.results.expansion import StatementKeys
from assay.store.engine import open_database, reading
from assay.store.schema_bank import questions, sources
from bank_labels import judged, make_files, make_more, plain_reading

WHOLE = 228_604
REAL = {
    "agieval_v1.jsonl.zst": None,
    "gsm8k_train.jsonl.zst": None,
    "gsm8k_test.jsonl.zst": None,
    "triviaqa_judges_items.jsonl.zst": "literature",
}
"""The recordings, and the discipline of those that state none."""

SEALER = KeySealer(bytes(range(32)))
SEED = 20_262


class Phases:
    """The wall-clock and processor time of each phase. The machine may be shared, so both are given."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.processor: dict[str, float] = {}

    def run(self, name: str, deed: Callable[[], Any]) -> Any:
        """Call a function and add its time to the phase."""
        print(f"{name} …", file=sys.stderr)
        started, used = time.perf_counter(), time.process_time()
        done = deed()
        self.seconds[name] = self.seconds.get(name, 0) + time.perf_counter() - started
        self.processor[name] = self.processor.get(name, 0) + time.process_time() - used
        return done


def take(engine: Engine, path: Path, *, discipline: str | None = None, synthetic: bool = False) -> Account:
    """Import a file and return its account."""
    wish = IngestOptions(discipline=discipline, kind=SourceKind.OTHER, synthetic=synthetic)
    return import_file(engine, path, wish, sealer=SEALER, clock=time.time)


def counted(engine: Engine) -> dict[str, int]:
    """Return the numbers of real and synthetic questions, and the number of real originals."""
    original = questions.c.family == questions.c.id
    query = (
        select(sources.c.synthetic, original, func.count())
        .join(sources, sources.c.id == questions.c.source)
        .group_by(sources.c.synthetic, original)
    )
    counts: Counter[str] = Counter()
    with reading(engine) as connection:
        for synthetic, first, n in connection.execute(query).tuples():
            counts["synthetic" if synthetic else "real"] += n
            if not synthetic and first:
                counts["real_originals"] += n
    return {"questions": counts["real"] + counts["synthetic"], **counts}


def built(
    folder: Path, data: Path, whole: int, phases: Phases
) -> tuple[Engine, Redundancy, list[int], dict[str, Any]]:
    """Build the bank; return it, the near-duplicate check, the synthetic sources and further figures."""
    engine = open_database(str(folder / "bank.db"))
    for name, discipline in REAL.items():
        phases.run("import", lambda name=name, code=discipline: take(engine, data / name, discipline=code))
    rng = np.random.default_rng(SEED)
    phases.run(
        "expand", lambda: expand_choices(engine, SEALER, keys=StatementKeys.ALL, rng=rng, now=time.time())
    )
    make(folder, "--whole", whole)
    synthetic = [
        phases.run("import", lambda name=name: take(engine, folder / name, synthetic=True))
        for name in ("filling.jsonl", "planted.jsonl")
    ]
    make(folder, "--more", whole - counted(engine)["questions"])
    synthetic.append(phases.run("import", lambda: take(engine, folder / "more.jsonl", synthetic=True)))
    screened = phases.run("screen", lambda: screen_bank(engine, SEALER))
    found = phases.run("near-duplicates", lambda: find_duplicates(engine, now=time.time()))
    kinds = {kind: each.questions for kind, each in screened.kinds.items()}
    told: dict[str, Any] = {"screened": screened.looked, "clean": len(screened.clean), "findings": kinds}
    document = synthetic[1].document()
    told["planted_import"] = {name: document[name] for name in ("read", "fates", "reasons")}
    return engine, found, [each.source for each in synthetic], told


def make(folder: Path, option: str, number: int) -> None:
    """Write files in a separate process, so that the memory of this one is that of the bank."""
    command = [sys.executable, __file__, "--make", str(folder), option, str(number)]
    subprocess.run(command, check=True)


def peak(who: int) -> float:
    """Return the peak resident memory of this process, or of its children, in MB (10^6 bytes)."""
    return resource.getrusage(who).ru_maxrss * 1024 / 1e6


def main() -> None:
    """Build the bank in a temporary folder and print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--whole", type=int, default=WHOLE)
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--more", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.make is not None:
        if options.more is not None:
            make_more(options.make, options.more)
        else:
            engine = open_database(str(options.make / "bank.db"))
            make_files(options.make, engine, options.whole, random.Random(SEED))
        return
    with tempfile.TemporaryDirectory() as name:
        print(json.dumps(measured(Path(name), options.data, options.whole), indent=2, ensure_ascii=False))


def measured(folder: Path, data: Path, whole: int) -> dict[str, Any]:
    """Build the bank in a folder and return the measurements."""
    phases = Phases()
    engine, found, made, told = built(folder, data, whole, phases)
    highest = peak(resource.RUSAGE_SELF)
    plain = plain_reading([*(data / each for each in REAL), *folder.glob("*.jsonl")])
    seconds, processor = sum(phases.seconds.values()), sum(phases.processor.values())
    document = {
        **counted(engine),
        "seconds": {key: round(value, 1) for key, value in phases.seconds.items()},
        "processor_seconds": {key: round(value, 1) for key, value in phases.processor.items()},
        "total_seconds": round(seconds, 1),
        "total_processor_seconds": round(processor, 1),
        "plain_reading_processor_seconds": round(plain, 2),
        "times_plain_reading": round(processor / plain, 1),
        "peak_mb": round(highest),
        "children_peak_mb": round(peak(resource.RUSAGE_CHILDREN)),
        **told,
        "near_duplicates": {
            "compared": found.candidates,
            "pairs": len(found.pairs),
            "faults": len(found.faults),
            **judged(engine, folder, found, (made[0], made[2]), made[1]),
        },
    }
    engine.dispose()
    return document


if __name__ == "__main__":
    main()
