"""The settings of a workspace."""

from __future__ import annotations

import pytest

from assay.core.errors import NotFound
from assay.core.model import Model, Pin, Provider
from assay.core.workspace import Webhook, Workspace

LISTED = Model("router", "a/b", Pin(("x",)))
WORKSPACE = Workspace(
    providers={"router": Provider("router", "https://r.test/v1"), "local": Provider("local", "http://l/v1")},
    models={LISTED.name: LISTED},
)


def test_a_listed_model_comes_with_its_settings() -> None:
    """One that is not listed has the defaults of its provider."""
    assert WORKSPACE.model("router/a/b") is LISTED
    assert WORKSPACE.model("local/llama3:8b") == Model("local", "llama3:8b")
    assert WORKSPACE.model("router/c/d/e") == Model("router", "c/d/e")


@pytest.mark.parametrize("name", ["llama3", "elsewhere/x", "", "local/"])
def test_an_unknown_name_is_told_with_the_known_providers(name: str) -> None:
    """The message shows the name and what there is."""
    with pytest.raises(NotFound, match="local, router") as caught:
        WORKSPACE.model(name)
    assert repr(name) in str(caught.value) or repr(name.split("/")[0]) in str(caught.value)


def test_a_webhook_s_address_stays_out_of_logs() -> None:
    """Its text form does not hold it: such addresses are secrets."""
    assert "sesame" not in repr(Webhook("ops", url="https://hooks.test/sesame"))
