"""Reading the text of answers: statements, words, letters of options, patterns."""
