"""The kinds of findings of the mechanical screening of questions."""

from __future__ import annotations

from assay.core.documented import DocumentedStrEnum, HelpText


class FindingKind(DocumentedStrEnum):
    """A kind of finding. One that blocks must be settled before the question can be drawn."""

    EMPTY_STEM = (
        "empty-stem",
        HelpText("""
            The question has no text: its stem is empty. This blocks the question.

            A candidate would see options or an answer space without anything to answer. Usually the text
            was lost when the file was converted.

            Look at the source with `assay bank show UUID`. Correct the question on the review page, or
            reject it and import the corrected file again.
        """),
    )
    SHORT_STEM = (
        "short-stem",
        HelpText("""
            The stem has fewer than four characters, and the question is not a term to be explained.

            So short a text rarely asks anything. It can be the rest of a question that was split in the
            wrong place.

            Read it. If a part is missing, add it on the review page; if the question is complete, accept
            it.
        """),
    )
    LONG_STEM = (
        "long-stem",
        HelpText("""
            The stem has more than 6,000 characters.

            Several questions may have been read as one, because a number between them was not recognised.
            Or material that several questions share was copied into each.

            Look for a second question inside the text. If there is one, correct the file or its profile and
            import it again; material belongs into the passage.
        """),
    )
    LEAKED_KEY = (
        "leaked-key",
        HelpText("""
            A text that candidates see contains the answer: a marker such as "Answer:" with something after
            it, the marker of an explanation, or an answer space that is filled in. This blocks the
            question.

            It would be answered by copying. Such texts come from files in which the key stands beside the
            question.

            Remove the answer from the text on the review page. If many questions are affected, change the
            profile of the import so that it recognises the marker.
        """),
    )
    ODD_SIGNS = (
        "odd-signs",
        HelpText("""
            The text contains control characters, signs that were lost in a wrong encoding, or signs that
            exist only in one font. The first two block the question.

            Candidates would see a gap or a box where a symbol belongs, and perhaps solve another problem.

            Compare with the original document and write the sign in on the review page. For a whole file
            import it again with the right `--encoding`.
        """),
    )
    MARKUP = (
        "markup",
        HelpText("""
            There is left-over HTML in the text, such as `<br>` or `&nbsp;`.

            It distracts, and in formulas it can hide what is meant: `x<sub>2</sub>` is not read as an index
            by everybody.

            Replace it on the review page. If the markup is the subject of the question, as in a question
            about HTML, accept it as it is.
        """),
    )
    UNBALANCED_BRACKETS = (
        "unbalanced-brackets",
        HelpText("""
            A bracket or quotation mark in the text is not closed, or is closed without having been opened.

            Often a piece of the text is missing, for example the end of a formula. Enumerations such as
            `1)` and half-open intervals are not counted.

            Read the place. If only the bracket is missing, add it; if text is missing, compare with the
            source.
        """),
    )
    MISSING_FIGURE = (
        "missing-figure",
        HelpText("""
            The text speaks of a figure ("as shown in the diagram"), and the bank stores no figures.

            Most such questions cannot be solved without the picture, so every candidate would fail them.

            Reject the question if it needs the figure. If the text says everything, remove the reference to
            the figure on the review page.
        """),
    )
    MISSING_PASSAGE = (
        "missing-passage",
        HelpText("""
            The text refers to a passage ("according to the text"), and the question has none.

            In the source the passage usually stands before a group of questions. If it was not recognised,
            all questions of the group lack it.

            Add the passage on the review page, or describe the marker of materials in the profile and
            import the file again.
        """),
    )
    OTHER_LANGUAGE = (
        "other-language",
        HelpText("""
            The question is marked as English and is mostly Chinese, or it is marked as Chinese and has no
            Chinese in it.

            The language decides how the question is put to the candidate and into which statements it is
            expanded.

            Correct the language or the text. A quotation in the other language can be the reason; then
            accept it.
        """),
    )
    NO_ANSWER = (
        "no-answer",
        HelpText("""
            The key is missing, or one of its answers is empty. This blocks the question.

            Without a key no answer can be marked.

            Add the answer on the review page if the source has it; otherwise reject the question. Several
            of them in one file point to an answer section that was not recognised.
        """),
    )
    STRAY_OPTIONS = (
        "stray-options",
        HelpText("""
            The question has options, but its kind is not multiple choice. This blocks the question.

            Either its kind is wrong or the options belong to another question. It would be asked and marked
            in the wrong way.

            Compare with the source, then correct the kind or remove the options on the review page.
        """),
    )
    KEY_NOT_TRUE_OR_FALSE = (
        "key-not-true-or-false",
        HelpText("""
            The question is a statement to be judged true or false, but its key is neither. This blocks the
            question.

            A longer text in the key is often the explanation, in the place of the verdict.

            Write `True` or `False` as the key on the review page, and move the rest to the explanation.
        """),
    )
    SEVERAL_ANSWERS = (
        "several-answers",
        HelpText("""
            An open question has more than one answer in its key.

            It is not clear whether all of them are needed or each is enough, and a judge would decide that
            differently from case to case.

            Say it in the key: one text with "and", or one answer with "also right:" and the others.
        """),
    )
    NO_MATERIAL = (
        "no-material",
        HelpText("""
            The question asks for an analysis of material, and its material has fewer than 160 characters.

            Probably only the beginning was imported, or the material stands elsewhere in the file.

            Compare with the source and add what is missing. If the short text is all there is, accept the
            question.
        """),
    )
    NO_BLANK = (
        "no-blank",
        HelpText("""
            The question is fill-in-the-blank, but it has no answer space and asks for nothing.

            Underlined blanks are often lost when a document is converted to text, and then nobody knows
            what to fill in.

            Put `____` into its place on the review page, or turn the sentence into a question.
        """),
    )
    BLANKS_AND_ANSWERS = (
        "blanks-and-answers",
        HelpText("""
            The number of answer spaces differs from the number of answers in the key. This blocks the
            question.

            One answer would be compared with the wrong space, and all those after it as well.

            Count both in the source. Spaces are written as `____`, `( )`, `__1__` or `【 】`; other forms are
            not recognised as spaces.
        """),
    )
    OPTION_COUNT = (
        "option-count",
        HelpText("""
            A multiple-choice question has fewer than 2 options or more than 26. This blocks the question.

            With one option there is nothing to choose; beyond 26 there are no letters. In both cases the
            options were probably split in the wrong places.

            Correct the options on the review page, or the lettering in the profile if it happens often.
        """),
    )
    MANY_OPTIONS = (
        "many-options",
        HelpText("""
            A multiple-choice question has more than ten options.

            Real questions rarely have so many. The options of the next question may have been added to this
            one.

            Look for the place where the letters begin again, or where another question starts. Matching
            tasks with a long list are fine: accept them.
        """),
    )
    EMPTY_OPTION = (
        "empty-option",
        HelpText("""
            One of the options is empty. This blocks the question.

            Its text was lost, for example because it was a picture or a formula. If it was the right one,
            the question has no right answer any more.

            Add the text from the source, or reject the question.
        """),
    )
    SAME_OPTION = (
        "same-option",
        HelpText("""
            Two options read the same, apart from spaces and the width of characters. This blocks the
            question.

            If one of them is the key, the other is right as well and would be marked wrong. A difference
            such as an exponent may have been lost in the conversion.

            Compare with the source. Capitals count as a difference, as in the genotypes Tt and TT.
        """),
    )
    SWALLOWED_OPTION = (
        "swallowed-option",
        HelpText("""
            An option seems to contain the letter of the next one, as in "Paris B. London".

            Two options were then read as one, and the letters of those after it are shifted against the
            key.

            Split the option on the review page and check the key. If the letter belongs to the text, as in
            "vitamin B.", accept the question.
        """),
    )
    KEY_OUTSIDE_OPTIONS = (
        "key-outside-options",
        HelpText("""
            The key names a letter that no option has. This blocks the question.

            An option is missing, or the key belongs to another question.

            Compare with the source. If the keys of a whole section are shifted by one, correct the answer
            list and import the file again.
        """),
    )
    KEY_REPEATS = (
        "key-repeats",
        HelpText("""
            The key names the same letter twice. This blocks the question.

            It is a slip of the pen: one of the two letters was probably meant to be another one, so the key
            cannot be trusted.

            Find the right letters in the source and write them in on the review page.
        """),
    )
    UNCLEAR_REFERENCE = (
        "unclear-reference",
        HelpText("""
            An option refers to other options in a way that is not understood, such as "all but one of the
            above".

            The question itself can be fine. It cannot be expanded into statements, because what such an
            option means depends on the others.

            Nothing, if the question is clear to a reader: accept it. For statements reword it as "all of
            the above" or "both A and B".
        """),
    )
    CONTRADICTORY_KEY = (
        "contradictory-key",
        HelpText("""
            The key contains an option together with one that it rules out, for example "none of the above"
            and B. This blocks the question.

            No answer can be right, so one of the letters is wrong.

            Find out from the explanation or the source which one, and correct the key.
        """),
    )
    NEAR_DUPLICATE = (
        "near-duplicate",
        HelpText("""
            The question reads nearly like another one in the bank. Of two raw questions the later one has
            the finding.

            Asking both would count the same knowledge twice. Retired questions are compared as well, since
            a leaked question must not return in other words.

            `assay bank duplicates list` shows both texts. Decide with `assay bank duplicates keep` if they
            ask for different things, or `drop` one of them.
        """),
    )
