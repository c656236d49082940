"""Word lists and phrases of the auto-checks: plain text files that a domain expert can read and edit."""
