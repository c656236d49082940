"""Signing keys: made, rotated, withdrawn, and sealed where they are stored."""

from __future__ import annotations

from dataclasses import replace

import pytest
from exam_people import NOW, OPERATOR, SEALER, populate
from exam_tokens import CLAIMS
from sqlalchemy import Engine, select, text

from assay.core.errors import Denied, NotFound
from assay.core.exam import Permission
from assay.exam.access import AccessRequest, Allowed, Refusal, Refused
from assay.exam.issuing import issue
from assay.exam.keys import Keyring, rotate, withdraw
from assay.exam.token import KEY_BYTES, LONGEST_LIFE, read_token, sign
from assay.files.sealing import KeySealer
from assay.store.engine import reading
from assay.store.exam.tokens import list_keys
from assay.store.schema_exam import signing_keys

RESULTS = AccessRequest((Permission.READ_RESULTS,))


def test_the_first_key_is_made_when_it_is_needed(sqlite: Engine) -> None:
    """A new database signs at once, with a key that stays."""
    kid, secret = Keyring(sqlite, SEALER).signing(now=NOW)
    assert len(secret) == KEY_BYTES
    assert Keyring(sqlite, SEALER).signing(now=NOW) == (kid, secret)


def test_an_older_key_proves_but_signs_no_more_after_a_rotation(sqlite: Engine) -> None:
    """Tokens signed before a rotation stay valid; new ones name the new key."""
    ring = Keyring(sqlite, SEALER)
    kid, secret = ring.signing(now=NOW)
    old = sign(replace(CLAIMS, kid=kid), secret)
    new = rotate(sqlite, SEALER, now=NOW + 1)
    assert ring.signing(now=NOW + 2)[0] == new != kid
    assert read_token(old, ring.verifying(old, now=NOW + 2), now=NOW + 2).kid == kid


def test_a_key_that_another_process_made_is_known_at_once(engine: Engine) -> None:
    """A keyring that was loaded before looks a new kid up when a token names it."""
    ring = Keyring(engine, SEALER)
    ring.signing(now=NOW)
    ring.reload(now=NOW)
    kid = rotate(engine, SEALER, now=NOW + 1)
    token = sign(replace(CLAIMS, kid=kid), Keyring(engine, SEALER).signing(now=NOW + 1)[1])
    assert not ring.knows(token)
    assert read_token(token, ring.verifying(token, now=NOW + 1), now=NOW + 1).kid == kid
    assert ring.knows(token)


def test_a_withdrawn_key_proves_nothing_at_once_anywhere(engine: Engine) -> None:
    """A process that has the key in memory refuses too, on its next request."""
    people = populate(engine)
    ring = people.keyring
    issued = issue(engine, ring, f"{OPERATOR}/viewer", now=NOW)
    ring.reload(now=NOW)
    assert isinstance(people.admit(issued.token, RESULTS), Allowed)
    withdraw(engine, issued.claims.kid, now=NOW + 1)
    assert people.admit(issued.token, RESULTS, ring=ring) is Refusal.UNAUTHORIZED
    assert people.admit(issued.token, RESULTS) is Refusal.UNAUTHORIZED
    assert issue(engine, people.keyring, f"{OPERATOR}/viewer", now=NOW + 2).claims.kid != issued.claims.kid


def test_a_retired_key_is_forgotten_when_nothing_it_signed_can_be_valid(sqlite: Engine) -> None:
    """A retired key proves for the longest life of a token, and then is not even opened any more."""
    ring = Keyring(sqlite, SEALER)
    token = sign(replace(CLAIMS, kid=ring.signing(now=NOW)[0]), ring.signing(now=NOW)[1])
    rotate(sqlite, SEALER, now=NOW)
    kept = len(ring.verifying(token, now=NOW + LONGEST_LIFE))
    ring.reload(now=NOW + LONGEST_LIFE + 1)
    assert (kept, len(ring.verifying("", now=NOW))) == (2, 1)


def test_an_unknown_kid_proves_nothing(sqlite: Engine) -> None:
    """A token that names a key nobody made is refused after one look into the database."""
    ring = Keyring(sqlite, SEALER)
    ring.signing(now=NOW)
    token = sign(replace(CLAIMS, kid="nobody"), bytes(KEY_BYTES))
    with pytest.raises(Refused, match="Unauthorized"):
        read_token(token, ring.verifying(token, now=NOW), now=NOW)


def test_what_is_no_token_costs_no_look_into_the_database(sqlite: Engine) -> None:
    """Garbage names no key, so nothing is looked up for it."""
    ring = Keyring(sqlite, SEALER)
    assert (ring.knows("garbage"), ring.verifying("a.b.c", now=NOW)) == (True, {})


def test_a_key_is_stored_sealed_and_opens_with_its_own_kid_only(sqlite: Engine) -> None:
    """The secret stands nowhere in the row, and moved to another kid it does not open."""
    ring = Keyring(sqlite, SEALER)
    kid, secret = ring.signing(now=NOW)
    with reading(sqlite) as connection:
        stored = bytes(connection.execute(select(signing_keys.c.secret)).scalar_one())
    assert secret not in stored
    with sqlite.begin() as connection:
        connection.execute(text("UPDATE signing_keys SET kid = 'moved'"))
    with pytest.raises(Denied, match="altered"):
        ring.signing(now=NOW)
    assert kid != "moved"


def test_another_bank_key_opens_no_signing_key(sqlite: Engine) -> None:
    """A service that is started with the wrong bank key says so before it serves anybody."""
    Keyring(sqlite, SEALER).signing(now=NOW)
    with pytest.raises(Denied, match="another key"):
        Keyring(sqlite, KeySealer(bytes(32))).reload(now=NOW)


def test_a_key_can_be_withdrawn_without_the_bank_key_and_twice(sqlite: Engine) -> None:
    """Withdrawing opens nothing; the first time of it stays, and it signs nothing more."""
    kid = rotate(sqlite, SEALER, now=NOW)
    withdraw(sqlite, kid, now=NOW + 1)
    withdraw(sqlite, kid, now=NOW + 2)
    with reading(sqlite) as connection:
        stored = list_keys(connection)[0]
    assert (stored.withdrawn_at, stored.retired_at) == (NOW + 1, NOW + 1)
    assert Keyring(sqlite, SEALER).signing(now=NOW + 3)[0] != kid


def test_a_withdrawn_key_is_not_even_opened(sqlite: Engine) -> None:
    """A keyring that is loaded after a withdrawal holds the other keys only."""
    kid = rotate(sqlite, SEALER, now=NOW)
    kept = rotate(sqlite, SEALER, now=NOW + 1)
    withdraw(sqlite, kid, now=NOW + 2)
    ring = Keyring(sqlite, SEALER)
    ring.reload(now=NOW + 3)
    assert set(ring.verifying("", now=NOW + 3)) == {kept}


def test_withdrawing_what_is_not_there_is_told(sqlite: Engine) -> None:
    """An unknown kid is shown with the command that lists them."""
    with pytest.raises(NotFound, match=r"'nobody'.*key list"):
        withdraw(sqlite, "nobody", now=NOW)
