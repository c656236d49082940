"""Auto-checks (seed 002): each flags one mechanical failure of an answer, and never praises."""
