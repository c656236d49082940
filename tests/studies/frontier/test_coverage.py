"""Models and prompts that are left out of a tensor are named, with their rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from outcome_sources import balanced, read_csv

from assay.core.errors import InvalidInput


def test_a_model_missing_on_more_than_half_is_left_out(tmp_path: Path) -> None:
    """It is named with its prompts, as is a prompt that only it has. A model on half is used."""
    full = "".join(f"p{place},full,1\n" for place in range(4))
    text = "prompt,model,quality\n" + full + "p0,half,1\np1,half,1\np2,half,0\np0,rare,1\nq,rare,1\nz,none,\n"
    found = read_csv(text, tmp_path, null="missing")
    assert found.tensor.models == ("full", "half")
    assert found.tensor.prompts == ("p0", "p1", "p2", "p3")
    assert [(entry.kind, entry.name, entry.reason, entry.rows) for entry in found.left_out] == [
        ("model", "none", "has no quality on any prompt", 0),
        ("model", "rare", "has a quality on 2 of 5 prompts, less than 50%", 2),
        ("prompt", "q", "has a quality only of left-out models", 0),
        ("prompt", "z", "has no quality of any model", 0),
    ]
    assert balanced(found)
    assert "not every model has all 4 prompts: 'half' has 3" in found.notes
    assert found.notes[0].startswith("2 models left out: 'none' has no quality on any prompt; 'rare' has")
    lower = read_csv(text, tmp_path, null="missing", least_coverage=0.4)
    assert lower.tensor.models == ("full", "half", "rare")
    assert "2 of 5 prompts have answers of fewer than half of the 3 models" in str(lower.notes)


def test_an_empty_tensor_is_refused(tmp_path: Path) -> None:
    """Rows without any quality, and models that all lack too many prompts, are refused."""
    with pytest.raises(InvalidInput, match="no row has a quality"):
        read_csv("prompt,model,quality,status\np,m,,error\n", tmp_path)
    with pytest.raises(InvalidInput, match=r"lacks more than 50% of the 3 prompts \('a' has 1\)"):
        read_csv("prompt,model,quality\np,a,1\nq,b,1\nr,c,1\n", tmp_path)
    with pytest.raises(InvalidInput, match="a share of the prompts"):
        read_csv("prompt,model,quality\np,a,1\n", tmp_path, least_coverage=2)
