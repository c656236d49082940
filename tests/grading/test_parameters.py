"""The bounded memory of prepared specs."""

from assay.core.case import GraderSpec
from assay.grading.parameters import PreparedSpecs


def test_a_spec_is_prepared_once() -> None:
    """A second call with the same spec hands back the same thing."""
    prepared: PreparedSpecs[object] = PreparedSpecs(lambda spec: object())
    spec = GraderSpec("number", {"expect": 1})
    assert prepared(spec) is prepared(spec)


def test_equal_specs_are_apart() -> None:
    """Identity counts: a spec that merely looks the same is prepared anew."""
    prepared: PreparedSpecs[object] = PreparedSpecs(lambda spec: object())
    assert prepared(GraderSpec("number", {})) is not prepared(GraderSpec("number", {}))


def test_memory_is_bounded() -> None:
    """More specs than the bound leave only the newest ones remembered."""
    prepared: PreparedSpecs[int] = PreparedSpecs(lambda spec: spec.parameters["expect"], most=3)
    specs = [GraderSpec("number", {"expect": number}) for number in range(10)]
    assert [prepared(spec) for spec in specs] == list(range(10))
    assert len(prepared) == 3


def test_short_lived_specs_never_share_a_result() -> None:
    """Specs made and dropped in a row may reuse an address in memory; each still gets its own result."""
    prepared: PreparedSpecs[int] = PreparedSpecs(lambda spec: spec.parameters["expect"], most=2)
    assert [prepared(GraderSpec("number", {"expect": number})) for number in range(200)] == list(range(200))
