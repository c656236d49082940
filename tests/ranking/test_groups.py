"""Scores by category, subcategory and difficulty."""

import numpy as np
from boards import measured

from assay.ranking.cells import cells
from assay.ranking.groups import group_scores, groups


def test_groups_split_every_prompt_once_a_dimension() -> None:
    """Each dimension's groups hold all six prompts, each once."""
    found = groups(measured(np.full((1, 6, 1), 3.0)).prompts)
    for by in ("category", "subcategory", "difficulty"):
        assert sum(chosen.astype(int) for group, chosen in found if group.by == by).tolist() == [1] * 6


def test_a_subcategory_belongs_to_its_category() -> None:
    """The same subcategory name in two categories makes two groups."""
    found = groups(measured(np.full((1, 6, 1), 3.0)).prompts)
    named = [(group.category, group.name) for group, _ in found if group.by == "subcategory"]
    assert named == [("coding", "sub"), ("writing", "sub")]


def test_a_group_has_its_own_mean() -> None:
    """Prompts 0 and 2 are writing, 1 and 3 coding."""
    table = cells([measured([[[5.0], [1.0], [5.0], [3.0]]])])
    found = group_scores(table, 0, table.counting[0], groups(table.prompts))
    assert [(each.group.name, each.score.judge_mean) for each in found[:2]] == [
        ("coding", 2.0),
        ("writing", 5.0),
    ]


def test_a_judge_left_out_overall_is_left_out_of_every_group() -> None:
    """The second judge skipped a coding prompt; its writing marks do not count either."""
    table = cells([measured([[[5, 1], [5, np.nan], [5, 1], [5, 1]]])])
    found = group_scores(table, 0, table.counting[0], groups(table.prompts))
    assert {each.score.judge_mean for each in found} == {5.0}
