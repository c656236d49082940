"""Sealing everything in the database anew, with another key, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import Engine

from assay.bank.keeping import reject_about
from assay.core.errors import Conflict
from assay.core.sealed import Sealer
from assay.store.bank.sealed_columns import KNOWN, SealedColumn, rejected_texts, reseal, walk_sealed
from assay.store.engine import writing
from assay.store.exam.human import HUMAN_RATIONALES


def rekey(
    engine: Engine,
    old: Sealer,
    new: Sealer,
    *,
    more: Sequence[SealedColumn] = (),
    progress: Callable[[int], None] | None = None,
) -> dict[str, int]:
    """Open every sealed text with the old key and seal it with the new one; return how many by column.

    `more` names sealed columns that the bank does not know of. All or nothing: Denied, with nothing changed,
    where one cannot be opened. Raises Conflict where both keys are the same.
    """
    if old.name == new.name:
        raise Conflict(f"both keys are the same (its name is {old.name}): give another new key")
    counts: dict[str, int] = {}
    done = 0
    with writing(engine) as connection:
        for each in (*KNOWN, HUMAN_RATIONALES, rejected_texts(reject_about), *more):
            column = f"{each.table.name}.{each.column.name}"
            counts[column] = 0
            for rows in walk_sealed(connection, each):
                sealed = []
                for row in rows:
                    about = each.about(row)
                    text = old.open(bytes(row._mapping[each.column.name]), about)
                    sealed.append(new.seal(text, about))
                reseal(connection, each, rows, sealed)
                done += len(rows)
                counts[column] += len(rows)
                if progress is not None:
                    progress(done)
    return counts
