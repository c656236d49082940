"""Who gives a command, for the record."""

from __future__ import annotations


def user_name(given: str | None) -> str:
    """Return the name that was given, else that of the user who is logged in."""
    import getpass

    if given is not None and given.strip():
        return given.strip()
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"
