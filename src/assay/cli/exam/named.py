"""The name that is recorded with a command."""

from __future__ import annotations


def user_name(by: str | None) -> str:
    """Return the name given by `--by`, or the name of the logged-in user."""
    import getpass

    if by is not None and by.strip():
        return by.strip()
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"
