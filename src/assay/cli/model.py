"""`assay model`: add and list models, and refresh their prices."""

from __future__ import annotations

from assay.cli.app import lazy_app

COMMANDS = {
    "list": ("assay.cli.models:list_", "List the workspace's models with their pins and prices."),
    "add": (
        "assay.cli.models:add",
        "Add a model to assay.yaml; other text there stays unchanged.",
    ),
    "prices": (
        "assay.cli.models:prices",
        "Refresh prices from the providers' model lists. Prices in the workspace take precedence.",
    ),
}
app = lazy_app(COMMANDS)


@app.callback()
def model() -> None:
    """Add and list models, and refresh their prices."""
