"""What a board calls its models and judges."""

from assay.runs.board.names import geval_by


def test_the_judge_of_an_imported_geval_has_no_name() -> None:
    """`geval` is what an import calls it, and no model."""
    assert geval_by("geval") == "a judge that the imported file does not name"
    assert geval_by("openai/gpt-4.1") == "openai/gpt-4.1"
