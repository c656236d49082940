"""What judges are told, as text files; `grading/judging/prompt.py` reads them."""
