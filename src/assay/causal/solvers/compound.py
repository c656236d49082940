"""Compound queries, reread part by part."""

from __future__ import annotations

from collections.abc import Callable

from assay.causal import queries as q


def inside(query: q.Query, read: Callable[[q.Query], q.Query]) -> q.Query:
    """Return a query with its parts as `read` gives them; one without parts as it is.

    A part that would turn from a number into a fact, or the other way, is kept.
    """

    def term(part: q.Term) -> q.Term:
        found = read(part)
        return found if isinstance(found, q.Term) else part

    match query:
        case q.Arithmetic(sign, left, right):
            return q.Arithmetic(sign, term(left), term(right))
        case q.Rounded(part, places):
            return q.Rounded(term(part), places)
        case q.Root(part):
            return q.Root(term(part))
        case q.Compare(left, relation, right):
            return q.Compare(term(left), relation, term(right))
        case q.Not(fact):
            found = read(fact)
            return q.Not(found if isinstance(found, q.Fact) else fact)
    return query
