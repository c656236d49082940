"""Reading prose in answers: words, letters, patterns."""
