"""`--csv`: every command that prints a table prints its rows as CSV too."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import Assay, Served, commands
from judged_files import write_judged_suite
from ladder_suite import write_ladder_suite

ANSWERS = "prompt,model,generation,quality,category,cost\n" + "".join(
    f"q{prompt:02d},m{model},{turn},{(prompt + model + turn) % 2},c{prompt % 2},{(1 + 4 * model) / 100}\n"
    for prompt in range(12)
    for model in range(2)
    for turn in range(3)
)
GAPS = ["prompt,model,quality"] + [
    f"b{bench},m{model},{(bench + 2 * model) / 20}"
    for bench in range(6)
    for model in range(5)
    if (bench, model) != (2, 3)
]
"""Five models on six benchmarks, one score missing."""
MARKS = ["item,judge,model,mark"] + [
    f"q{item},{judge},m{model},{(item + model + (item % wrong == 0)) % 2}"
    for item in range(60)
    for model in range(2)
    for judge, wrong in (("one", 9), ("two", 5), ("human", 61))
]
"""Right or wrong, as two judges and people marked it."""
SIMULATED = ("-m", "simulated/steady", "-m", "simulated/noisy")
FEW = ("--resamples", "20")
OPERATING = ("--suite", "judged", "--replicates", "20")
JUDGE = ("--judge", "simulated/judge")
NO_TABLE = {
    *("doctor", "demo", "sit", "db upgrade", "db copy", "suite check", "import table", "import workbench"),
    *("site", "bank show", "causal generate", "causal explain", "export marks", "import marks"),
    *("exam user add", "exam user renew", "exam candidate add", "exam token issue", "exam series add"),
    *("exam open", "exam close", "exam mark", "exam exclude"),
    *("exam experts assign", "exam experts next", "exam experts mark"),
}
"""Commands that print a document with `--json`, and no table without it."""

Call = tuple[str, ...]
Rows = Callable[[Any], int]


CALLS: dict[str, tuple[Call, Rows | None]] = {
    "runs": ((), lambda document: len(document["runs"])),
    "show": (("1",), lambda document: len(document["samples"])),
    "run": (("./judged", *SIMULATED, "--limit", "2"), None),
    "grade": (("1",), None),
    "resume": (("1",), None),
    "compare": (
        ("1", "2", "-m", "simulated/noisy"),
        lambda document: len(document["fell"] + document["rose"]),
    ),
    "board": (("judged",), lambda document: len(document["models"])),
    "watch": (("--suite", "./judged", "-m", "simulated/steady", *JUDGE, "--again"), lambda document: 1),
    "notify list": ((), lambda document: len(document["deliveries"])),
    "notify retry": ((), lambda document: len(document["deliveries"])),
    "verdict": (("--suite", "judged"), lambda document: len(document["verdicts"])),
    "watch simulate": (
        ("--drop", "20", "--days", "30", *OPERATING),
        lambda document: len(document["detections"]),
    ),
    "watch tune": (OPERATING, lambda document: 2 * len(document["after"]["detections"])),
    "suite list": ((), lambda document: len(document["suites"])),
    "suite show": (("daily",), lambda document: len(document["use_cases"])),
    "model list": ((), lambda document: len(document["models"])),
    "model prices": (("mine",), lambda document: len(document["models"])),
    "judge list": (("--suite", "./judged"), lambda document: len(document["judges"])),
    "judge calibrate": (("--suite", "./judged", *JUDGE), lambda document: len(document["use_cases"])),
    "judge agreement": (("1",), lambda document: len(document["pairs"])),
    "judge choose": (("marks.csv",), None),
    "judge panel": (("marks.csv",), lambda document: len(document["judges"])),
    "judge correct": (("marks.csv", "--judge", "one"), lambda document: len(document["models"])),
    "judge plan": (("marks.csv", "--judge", "one"), lambda document: len(document["models"])),
    "judge pairs": (("1", *JUDGE), None),
    "rank absolute": (("answers.csv",), lambda document: len(document["ranking"])),
    "rank relative": (("answers.csv",), lambda document: len(document["ranking"])),
    "rank bradley-terry": (("answers.csv",), None),
    "rank elo": (("answers.csv",), None),
    "rank report": (("answers.csv", "--resamples", "5"), lambda document: len(document["findings"])),
    "rank items": (("answers.csv",), lambda document: len(document["statistics"])),
    "rank fragility": (("answers.csv",), lambda document: len(document["rivals"])),
    "rank stability": (("answers.csv", "--resamples", "5"), lambda document: len(document["orders"])),
    "rank adaptive": (("answers.csv",), lambda document: len(document["separations"])),
    "rank predict": (("gaps.csv",), lambda document: len(document["predictions"])),
    "causal lint": (("causal",), lambda document: len(document["tests"])),
    "causal calibrate": (
        ("3", "--allow-simulated"),
        lambda document: sum(len(level["models"]) for level in document["levels"]),
    ),
    "bench-score": ((), lambda document: len(document["models"])),
    "study contamination": (("--suite", "daily", "-m", "simulated/steady", "--n", "2"), None),
    "study recalls": (("counts.csv",), lambda document: len(document["public_against_private"])),
    "study overlap": (("asked.csv", "--against", "texts"), lambda document: len(document["overlaps"])),
    "study duplicates": (("asked.csv",), lambda document: len(document["pairs"])),
    "study correlate": (("models.csv",), lambda document: len(document["correlations"])),
    "study prompting": (("models.csv",), lambda document: len(document["models"])),
    "study variants": (
        ("--variant", "a=answers.csv", "--variant", "b=answers.csv"),
        lambda document: len(document["differences"]),
    ),
    "study trend": (("models.csv", "--column", "score=x"), lambda document: len(document["models"])),
    "study errors": (
        ("wrong.csv", *JUDGE),
        lambda document: len(document["shares"]),
    ),
    "frontier fit": (("answers.csv", *FEW, "--method", "all"), lambda document: len(document["methods"])),
    "frontier report": (("answers.csv", *FEW), None),
    "frontier posthoc": (("answers.csv", *FEW), None),
    "frontier route": (("answers.csv", *FEW, "--repeats", "1"), lambda document: len(document["routers"])),
    "frontier simulate bias": (
        ("--generations", "100", "--prompts", "20"),
        lambda document: sum(len(each["points"]) for each in document["populations"]),
    ),
    "frontier simulate entropy": (
        ("answers.csv", "--prompts", "50", "--generations", "100", "--repeats", "20"),
        lambda document: len(document["simulation"]["points"]) + len(document["recorded"]["path"]),
    ),
    "bank import": (
        ("kept/example/tables/engineering.jsonl", "--again"),
        lambda document: len(document["files"]),
    ),
    "bank draw": (("--n", "10", "--seed", "1"), lambda document: len(document["questions"])),
    "bank screen": ((), lambda document: len(document["findings"])),
    "bank reviewer list": ((), lambda document: len(document["reviewers"])),
    "bank duplicates list": ((), lambda document: len(document["pairs"])),
    "bank expand": ((), lambda document: len(document["choices"]["disciplines"])),
    "bank stats": ((), lambda document: len(document["disciplines"])),
    "exam organisation list": ((), lambda document: len(document["organisations"])),
    "exam user list": ((), lambda document: len(document["users"])),
    "exam candidate list": ((), lambda document: len(document["users"])),
    "exam token list": (("--all",), lambda document: len(document["tokens"])),
    "exam key list": ((), lambda document: len(document["keys"])),
    "exam access": (("--limit", "20"), lambda document: len(document["accesses"])),
    "exam series list": ((), lambda document: len(document["series"])),
    "exam sessions": ((), lambda document: len(document["sessions"])),
    "exam limits": ((), lambda document: 1),
    "exam exposure": ((), lambda document: len(document["exposures"])),
    "exam manifest": (("SESSION",), lambda document: len(document["rows"])),
    "exam results": (JUDGE, lambda document: sum(len(each["models"]) for each in document["series"])),
    "exam experts agreement": (JUDGE, lambda document: len(document["agreement"])),
}


def table_of(printed: str) -> list[dict[str, str]]:
    """Return the rows of a CSV document by column, and check that every row has every column once."""
    head, *rows = csv.reader(io.StringIO(printed))
    assert len(set(head)) == len(head) > 0
    assert all(len(row) == len(head) for row in rows)
    return [dict(zip(head, row, strict=True)) for row in rows]


def leaf_commands() -> dict[str, set[str]]:
    """Return the options of every command that is not a mere group."""
    return {
        name: {option for parameter in command.params for option in parameter.opts}
        for name, command in commands().items()
    }


def test_every_command_with_a_json_document_has_its_table_as_csv() -> None:
    """A command has both options, or it prints no table."""
    options = leaf_commands()
    json_only = {name for name, known in options.items() if "--json" in known and "--csv" not in known}
    assert json_only == NO_TABLE
    assert {name for name, known in options.items() if "--csv" in known} == set(CALLS)


@pytest.mark.slow
def test_every_table_is_printed_as_csv(
    upstream: Served, folder: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call prints one CSV document with as many rows as its JSON document lists, and nothing else."""
    write_judged_suite(folder)
    (folder / "answers.csv").write_text(ANSWERS)
    (folder / "counts.csv").write_text("model,source,kind,n,recalled\nm,web,public,9,4\nm,own,private,9,1\n")
    asked = "Which clause of the treaty ended the quarrel about the tolls of the river Rhine?"
    (folder / "asked.csv").write_text(f"id,stem\na,{asked}\nb,{asked.replace('quarrel', 'quarel')}\n")
    (folder / "models.csv").write_text(
        "model,date,x,y\na,2024-01-01,1,3\nb,2024-02-01,2,2\nc,2024-03-01,3,4\n"
    )
    (folder / "wrong.csv").write_text("item,model,question,answer\nq,m,What is 1?,2\n")
    (folder / "gaps.csv").write_text("\n".join(GAPS) + "\n")
    (folder / "marks.csv").write_text("\n".join(MARKS) + "\n")
    (folder / "texts").mkdir()
    (folder / "texts" / "a.txt").write_text(asked)
    assert assay("exam", "demo", "--out", "kept").status == 0
    assert assay("model", "add", "mine/a/b").status == 0
    assert assay("run", "./judged", *SIMULATED).status == 0
    assert assay("run", "./judged", "-m", "simulated/noisy").status == 0
    write_ladder_suite(folder)
    assert assay("run", "./ladder", "-m", "simulated/steady", "-m", "simulated/noisy").status == 0
    monkeypatch.setenv("ASSAY_BANK_KEY_FILE", str(folder / "kept" / "bank.key"))
    kept = ("--workspace", "kept/assay.yaml", "--database", "kept/assay.db")
    session = assay(*kept, "exam", "sessions", "--json").json["sessions"][0]["id"]
    wrong = {}
    for name, (words, rows) in CALLS.items():
        place = kept if name.startswith(("bank", "exam")) else ()
        call = (*place, *name.split(), *(session if word == "SESSION" else word for word in words))
        ended = assay(*call, "--csv")
        if ended.status not in (0, 1):
            wrong[name] = ended.err
            continue
        number, expected = len(table_of(ended.out)), rows and rows(assay(*call, "--json").json)
        if number != expected and not (expected is None and number):
            wrong[name] = f"{number} rows, {expected} expected"
    assert wrong == {}


def test_cells_are_no_formulas(folder: Path, assay: Assay) -> None:
    """A name that a spreadsheet would compute has an apostrophe before it."""
    assert assay("exam", "organisation", "add", "=1+1").status == 0
    (row,) = table_of(assay("exam", "organisation", "list", "--csv").out)
    assert row["name"] == "'=1+1"


def test_json_and_csv_exclude_each_other(folder: Path, assay: Assay) -> None:
    """Both together are refused before anything is done."""
    ended = assay("bench-score", "--json", "--csv")
    assert (ended.status, ended.out) == (2, "")
    assert "--json and --csv exclude each other: choose one" in ended.err
