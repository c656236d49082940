"""Auto-checks (seed 002): each flags one mechanical defect of an answer."""
