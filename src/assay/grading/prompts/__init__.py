"""The prompts for judges, as text files; `grading/judging/question.py` reads them."""
