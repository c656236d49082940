"""The reasons why something read from a file does not become a question."""

from __future__ import annotations

from dataclasses import dataclass

from assay.core.documented import DocumentedStrEnum, HelpText


class Reason(DocumentedStrEnum):
    """A reason for a refusal. None of them reveals a key."""

    NO_STEM = (
        "the question is empty",
        HelpText("""
            The record or passage has a key or options but no text of a question.

            The column or mark of the question was probably not recognised, so its text went elsewhere.

            Compare the reject with the file. In a table, name the column of the question in a profile; in a
            document, look at the line before it.
        """),
    )
    NO_KEY = (
        "there is no key",
        HelpText("""
            The question has no answer in the file.

            The bank holds only questions that can be marked. A missing answer section, or one in a second
            file, is the usual cause.

            Add the answers to the file, beside each question or in a section at the end, and import it
            again. Questions without an answer cannot be imported.
        """),
    )
    LOST = (
        "characters were lost in an earlier conversion",
        HelpText("""
            The text contains the signs that an earlier conversion leaves where characters were lost:
            replacement characters, private ones, or a control character inside a word.

            Nobody can tell what stood there. A formula with a lost sign would be another question.

            Go back to the original document, save it as text again in UTF-8, and import that.
        """),
    )
    TOO_LONG = (
        "a text is too long",
        HelpText("""
            A text of the question is longer than the bank accepts. The detail names it with both numbers.

            Usually several questions, or a whole page, were read as one because a number in between was not
            recognised.

            Look for the second question in the reject and correct the numbering in the file or in the
            profile.
        """),
    )
    PICTURE = (
        "it has a picture, which the bank cannot store",
        HelpText("""
            A picture belongs to the question, and the bank cannot keep it.

            Without the picture the question can often not be answered, so it is not imported, even if its
            text is complete.

            Describe the picture in words in the file, if that is enough, and remove it. Otherwise leave the
            question out.
        """),
    )
    NO_OPTIONS = (
        "its kind is multiple choice, but it has no options",
        HelpText("""
            A heading or column says that the question is multiple choice, but no options were found.

            They may be in a form that the profile does not know, such as letters in circles, or in a table
            beside the text.

            Look at the reject and add the form of the options to the profile. If it is a question of
            another kind, correct the heading.
        """),
    )
    ONE_OPTION = (
        "it has only one option",
        HelpText("""
            Only one option was found for a multiple-choice question.

            The others were probably read as part of its text, for example because they stand on one line
            with other separators.

            Look at the option in the reject. If it contains the others, put each on a line of its own or
            add the separator to the profile.
        """),
    )
    EMPTY_OPTION = (
        "an option is empty",
        HelpText("""
            One of the options has a letter and no text. The detail gives the letter.

            Its text may have been a picture or a formula that the conversion dropped. It could even be the
            right answer.

            Add the text in the file from the original document, and import the file again.
        """),
    )
    OPTION_GAP = (
        "an option's letter is missing",
        HelpText("""
            The letters of the options have a gap, such as A, B, D.

            The missing option was not recognised or is missing in the source. The key may refer to it, or
            may be shifted.

            Look for the option in the text of the one before it, and put it on a line of its own.
        """),
    )
    OPTION_ORDER = (
        "the options' letters are out of order, so the key may be a letter or a position",
        HelpText("""
            The letters of the options are not in alphabetical order, such as A, C, B, D.

            A key "C" can then mean the option with the letter C or the third one. Guessing would give wrong
            keys.

            Sort the options in the file, and make sure that the key names the letter you mean.
        """),
    )
    OPTION_TWICE = (
        "an option's letter is used twice",
        HelpText("""
            A letter occurs twice among the options.

            Either two questions were read as one, or a letter in the file is wrong. The key would be
            ambiguous.

            Look at the reject: if a second question begins there, its number was not recognised; otherwise
            correct the letter.
        """),
    )
    SAME_OPTIONS = (
        "two options are the same",
        HelpText("""
            Two options have the same text.

            If one is right, the other is too, so a right answer could be marked as wrong. A difference such
            as an exponent may have been lost when the file was converted.

            Compare with the original and restore the difference, or remove one option and correct the key.
        """),
    )
    MANY_OPTIONS = (
        "it has more options than letters",
        HelpText("""
            The question has more options than there are letters, which is 26.

            A list in the text was probably read as options, or several questions as one.

            Look at the reject. Number the list with digits instead of letters, or separate the questions.
        """),
    )
    KEY_BEYOND = (
        "the key names a letter beyond the options",
        HelpText("""
            The key names an option that does not exist, such as E of four.

            An option is missing in the file, or the key belongs to the next question.

            Compare with the original. If keys from some number on are all shifted by one, an answer is
            missing or doubled before it.
        """),
    )
    KEY_UNREADABLE = (
        "the key is neither letters nor the text of an option",
        HelpText("""
            The key of a multiple-choice question is neither a letter nor the text of one of the options.

            It may be a number, a remark such as "see page 12", or a text that differs slightly from the
            option.

            Write the letter. If a table counts options by numbers, say in a profile whether they begin at 0
            or 1 (`index_from`).
        """),
    )
    SEVERAL_KEYS = (
        "the key has several letters, but the question allows one",
        HelpText("""
            The file says that exactly one option is right, and the key names several.

            One of both statements is wrong, and the kind of the question decides how it is asked and
            marked.

            Correct the key, or the heading if several options may be right ("multiple answers").
        """),
    )
    NEITHER = (
        "its kind is true or false, but the key is neither",
        HelpText("""
            The question is said to be true or false, and its key means neither.

            Words such as "yes", "wrong", "√" and "×" are understood. A whole sentence as the key is not.

            Write True or False as the key and move the rest to the explanation.
        """),
    )
    NO_BLANK = (
        "its kind is fill-in-the-blank, but it has no blank",
        HelpText("""
            The question is said to be fill-in-the-blank, and no blank was found in its text.

            Underlined spaces often disappear when a document is saved as text.

            Put `____` where the answer belongs. Brackets with only spaces in them, and `__1__`, are
            recognised too.
        """),
    )
    BLANKS = (
        "the numbers of answers and blanks differ",
        HelpText("""
            The key has another number of answers than the question has blanks. The detail gives both
            numbers.

            Each answer must belong to one blank. With one too many or too few, all those after it would be
            compared with the wrong blank.

            Separate the answers by semicolons or number them, and count the blanks in the file.
        """),
    )
    OVERLAP = (
        "two questions in one",
        HelpText("""
            Two questions were read as one: there are two answers, or the options begin again at A.

            The number of the second question was not recognised, often because its form differs from the
            others.

            Give the second question a number of the usual form in the file, or add its form to the profile.
        """),
    )
    OUTSIDE = (
        "text that belongs to no question",
        HelpText("""
            The text belongs to no question: it stands before the first one, after the last one, or between
            a key and the next number.

            It may be a harmless remark. It may also be a question whose number was not recognised.

            Read it in the file of rejects. Give it a number if it is a question; otherwise ignore it.
        """),
    )
    UNUSED_PASSAGE = (
        "material without a question",
        HelpText("""
            A text that questions should follow is followed by none.

            The questions about it were not recognised, or the marker that opened the material was a false
            alarm.

            Look at what follows it in the file. If the questions are numbered in brackets, add this form to
            the profile.
        """),
    )
    UNUSED_ANSWER = (
        "an answer without a question",
        HelpText("""
            An answer in an answer section has a number that no question of the file has.

            The question was rejected or its number was not recognised. Or the section belongs to another
            file.

            Search for the number in the file. The import also reports missing numbers, such as "missing
            before question 4: 3".
        """),
    )
    AMBIGUOUS_ANSWER = (
        "an answer that fits several questions",
        HelpText("""
            The number of an answer fits several questions, because numbers are repeated in the file.

            Giving it to the first of them would produce wrong keys, which are worse than none.

            Repeat the headings of the sections above their answers, or number all questions of the file
            consecutively.
        """),
    )
    UNREADABLE = (
        "the record cannot be read",
        HelpText("""
            The record could not be read at all: for example invalid JSON in a line, or a cell with an error
            or a formula without a result.

            Nothing is known about its content, so it cannot be a question. The detail says what the reader
            stumbled over.

            Open the place in the file. In a workbook, replace the formula by its value.
        """),
    )
    NO_OBJECT = (
        "the record is not an object with named values",
        HelpText("""
            The record is valid JSON, but not an object with names and values. It may be a list or a bare
            text.

            Without names nobody can tell which value is the question and which the key.

            Write each record as `{"question": ..., "answer": ...}`. If the records are nested deeper, name
            the list in the file.
        """),
    )
    CELLS = (
        "the row has more cells than the header",
        HelpText("""
            The row has more cells than the header has columns.

            A separator inside a text, such as a comma without quotation marks around the text, shifts all
            cells after it.

            Put texts with separators in quotation marks, or save the table again with another separator.
        """),
    )
    OPTIONS_FORM = (
        "the options are in an unknown form",
        HelpText("""
            The options are given in one value that cannot be divided into options.

            A list, an object with letters, and a text with one lettered option on each line are understood.

            Write the options in one of these forms, or in columns A, B, C, D of their own.
        """),
    )
    DISCIPLINE = (
        "its discipline is not in the taxonomy",
        HelpText("""
            The discipline or subject that the record names is not in the taxonomy. The detail quotes it.

            Draws take the same number of questions from each discipline, so every question needs a known
            one.

            Use a code or name that `assay bank stats` lists, or set one for the whole file with
            `--discipline`.
        """),
    )
    KIND = (
        "its kind is not one of the six",
        HelpText("""
            The kind that the record names is not one of the six that the bank knows. The detail quotes it.

            The kind decides how a question is asked and marked, so it is not guessed from an unknown word.

            Use multiple-choice, fill-in-the-blank, true-or-false, short-answer, term-explanation or
            material-analysis, or add the word to a profile.
        """),
    )
    UUID = (
        "its uuid is not valid",
        HelpText("""
            The record has a uuid that is not a valid one.

            It identifies a question across banks, so an invalid one could not be found again.

            Leave the field empty, and the question gets a new uuid. If the file is an export of a bank, it
            was damaged on the way.
        """),
    )
    UUID_TAKEN = (
        "its uuid is that of another question",
        HelpText("""
            The uuid of the record belongs to another question of the bank, with another content.

            Replacing the stored question would change exams that were already held.

            If it is a corrected version, edit the question on the review page instead. If it is another
            question, leave the uuid empty.
        """),
    )
    PARENT = (
        "the question it was made from is not in the bank",
        HelpText("""
            The record says from which question it was made, and that question is not in the bank.

            Variants are kept together with their original, so that an exam never draws both. Without it,
            this cannot be ensured.

            Import the file with the originals first, or include them in the same file.
        """),
    )
    OTHER_KEY = (
        "the same question occurs earlier with another key",
        HelpText("""
            The same question occurs earlier in the file with another key.

            One of both keys is wrong, and the file does not tell which. The first one was taken, so it may
            be the wrong one.

            Compare both places in the file of rejects, and correct the question in the bank if the first
            key was wrong.
        """),
    )
    LEFT_OUT = (
        "the profile leaves it out",
        HelpText("""
            The profile says that records of this kind are not to be imported. The detail gives its reason.

            Files often mix questions that fit the bank with others, such as those that need a picture or
            have no agreed answer.

            Nothing, if the profile is right. Otherwise change its `cases` and import the file again.
        """),
    )


@dataclass(frozen=True, slots=True)
class RefusedRecord:
    """A refused record. `detail` adds to the reason and never reveals a key."""

    reason: Reason
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else str(self.reason)
