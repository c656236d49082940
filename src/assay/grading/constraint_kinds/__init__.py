"""The kinds of format constraints, one topic a file; `kind.KINDS` lists them all."""
