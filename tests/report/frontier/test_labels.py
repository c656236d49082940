"""Names beside points: none covers another, a point or a line, and each is nearest to its own point."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.report.frontier.labels import LETTER, SIZE, Box, Label, around, place

WIDTH, HEIGHT = 640.0, 400.0
POINT = st.tuples(st.floats(0, WIDTH), st.floats(0, HEIGHT))


def box(label: Label) -> Box:
    """Return the box that a label's text fills."""
    long, tall = len(label.name) * SIZE * LETTER, SIZE + 1.0
    left = {"left": label.x, "right": label.x - long, "center": label.x - long / 2}[label.side]
    return Box(left, label.y - tall / 2, left + long, label.y + tall / 2)


def test_a_lonely_point_is_named_to_its_right() -> None:
    """At six pixels, in the middle of its height."""
    assert place(["one"], [(100.0, 50.0)], width=WIDTH, height=HEIGHT) == [Label("one", 106.0, 50.0, "left")]


def test_at_the_right_edge_it_is_named_to_its_left() -> None:
    """The text ends six pixels before the point."""
    found = place(["a-long-name"], [(636.0, 50.0)], width=WIDTH, height=HEIGHT)[0]
    assert found is not None and (found.side, found.x) == ("right", 630.0)


@settings(max_examples=40, deadline=None)
@given(st.lists(POINT, min_size=1, max_size=12, unique=True))
def test_names_cover_nothing(points: list[tuple[float, float]]) -> None:
    """Neither one another nor any point, and they stay inside the plot."""
    names = [f"model-{at}" for at in range(len(points))]
    boxes = [box(each) for each in place(names, points, width=WIDTH, height=HEIGHT) if each is not None]
    assert not any(one.meets(other) for one, other in combinations(boxes, 2))
    assert not any(each.meets(around(point, 4.0)) for each in boxes for point in points)
    assert all(each.inside(WIDTH + 1e-6, HEIGHT + 1e-6) for each in boxes)


def test_taken_places_stay_free() -> None:
    """A line to the right of the point pushes its name to the left."""
    line = [Box(105, 0, 110, 400)]
    found = place(["one"], [(100.0, 50.0)], width=WIDTH, height=HEIGHT, taken=line)[0]
    assert found is not None and found.side == "right"


def test_a_name_without_any_room_is_left_out() -> None:
    """Everything around the point is taken."""
    assert place(["one"], [(100.0, 50.0)], width=WIDTH, height=HEIGHT, taken=[Box(0, 0, 640, 400)]) == [None]


def test_a_name_between_two_points_belongs_to_one() -> None:
    """Where the near place would be as near to another point, a line leads to a farther one."""
    points = [(100.0, 50.0), (112.0, 50.0), (88.0, 50.0), (100.0, 62.0), (100.0, 38.0)]
    found = place(["x"], points[:1], width=WIDTH, height=HEIGHT, taken=[around(each) for each in points[1:]])
    alone = found[0]
    assert alone is not None
    together = place(["x", "", "", "", ""], points, width=WIDTH, height=HEIGHT)[0]
    assert together is not None and together.tail is not None
