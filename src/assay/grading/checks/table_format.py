"""Flags an answer whose table has not the shape asked for."""

from __future__ import annotations

from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.flag import Flag, flag, graded
from assay.grading.checks.parameters import faults, one_of
from assay.grading.constraint_kinds.kind import count, texts
from assay.grading.constraint_kinds.kind import flag as switch
from assay.grading.constraint_kinds.tables import same_header
from assay.grading.text.answer import cut, visible
from assay.grading.text.table import Table, tables

PARAMETERS = (
    count("rows", required=False),
    count("columns", required=False),
    texts("header", required=False),
    switch("only"),
)


class TableFormat:
    """Flags an answer whose table has not the shape asked for.

    Parameters: `rows` (below the header), `columns`, `header` (names; case and emphasis apart), `only`
    (default false: nothing but the table; a fence around it is no text). Markdown and HTML tables
    count, in a fence too. Of several tables the one that fits best counts.
    """

    name: ClassVar[str] = "table_format"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        return tuple(faults(spec, PARAMETERS) + one_of(spec.parameters, "rows", "columns", "header"))

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return 1, or 0 with what was counted and what differs."""
        shown = visible(answer)
        found = tables(shown)
        if not found:
            return graded((flag("NO_TABLE", "holds no table"),))
        judged = [(_differences(each, spec), each) for each in found]
        flags, best = min(judged, key=lambda one: len(one[0]))
        if spec.parameters.get("only", False):
            beside = best.beside(shown)
            if beside:
                flags.append(
                    flag("TEXT_BESIDE", f"text beside the table: {cut(beside, 80)!r}", words=cut(beside, 200))
                )
        shape = {
            "rows": len(best.rows),
            "columns": best.widths,
            "header": list(best.header),
            "tables": len(found),
        }
        return graded(flags, **shape)


def _differences(table: Table, spec: GraderSpec) -> list[Flag]:
    given = spec.parameters
    rows, columns, header = given.get("rows"), given.get("columns"), given.get("header")
    flags = []
    if rows is not None and len(table.rows) != rows:
        flags.append(
            flag("ROWS", f"{len(table.rows)} rows below the header, {rows} wanted", count=len(table.rows))
        )
    if columns is not None and table.widths != [columns]:
        widths = " and ".join(map(str, table.widths))
        flags.append(flag("COLUMNS", f"{widths} columns, {columns} wanted", counts=table.widths))
    if header is not None and not same_header(table.header, header):
        flags.append(
            flag("HEADER", f"headed {list(table.header)!r}, not {list(header)!r}", header=list(table.header))
        )
    return flags
