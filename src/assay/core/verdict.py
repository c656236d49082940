"""States of the watch."""

from __future__ import annotations

from assay.core.documented import DocumentedIntEnum, DocumentedStrEnum, HelpText


class UseCaseState(DocumentedIntEnum):
    """The seed's state of one (model, use case, day). Integers, so that rules can be vectorised."""

    GAP = (
        0,
        HelpText("""
            The use case has no score on this day. Nothing of it ran, all its samples errored or came from
            another provider than the pin, more than 20 % of its answers could not be graded, or fewer than
            80 % of its cases are in common with the baseline. The reason is shown beside the state.

            A score over other cases than the baseline's would compare different questions: without the two
            hardest cases of five the mean rises although the model is the same.

            Read the reason. One use case in GAP does not change the model's state, which follows from the
            others. If samples errored, `assay resume RUN` asks for them again; if answers are ungraded,
            `assay grade RUN --only ungraded` asks the judge again.
        """),
    )
    CALIBRATING = (
        1,
        HelpText("""
            The use case has no baseline yet. It needs 5 scored days among the 14 days before this one.

            Its score is shown, over all cases of the day, but there is nothing to compare it with. A fall
            on one of these days cannot be seen.

            Keep watching every day: `assay verdict MODEL` counts the days that each use case has. Use cases
            calibrate separately, so the model can already be OK because of the others.
        """),
    )
    OK = (
        2,
        HelpText("""
            The score is not far below the baseline. For a deterministic use case that means less than 2
            spreads and less than 10 % below the mean of the last 14 days; for a judged or hybrid one, less
            than 2.5 spreads and less than 15 %. A spread is the standard deviation of those days' scores,
            but at least 2 points (judged: 4).

            A rise is OK too, and so is a smaller fall than these. With five cases and one sample each, a
            single changed answer moves the score by 20 points, so narrower bounds would raise many false
            alarms.

            Nothing. `golden_state` in `assay verdict MODEL --json` says whether the use case is also near
            its first 14 days: a slow decline takes the 14-day baseline down with it.
        """),
    )
    SUSPICIOUS = (
        3,
        HelpText("""
            The score is clearly below the baseline, or far below it for the first day. Deterministic use
            cases get it at 2 spreads or 10 % below the 14-day mean, judged and hybrid ones at 2.5 spreads
            or 15 %.

            It may be the first day of a fall, or chance. A spread (standard deviation) is a yardstick here,
            not a significance test. The watch therefore repeats the use case at its full number of samples
            before the day counts.

            `assay verdict MODEL` lists the cases that changed since the day before; read their answers with
            `assay show RUN.SAMPLE`. Then wait for the next scored day: a large fall that lasts becomes
            COOKED.

            A coding use case with a mean of 90.0 and a spread of 3.3 scores 65. At 7.5 spreads below this
            is far enough for COOKED, but it is the first such day: SUSPICIOUS.
        """),
    )
    COOKED = (
        4,
        HelpText("""
            The score is far below the baseline on two scored days in a row, or very far below it at once.
            Far is 3 spreads or 20 % (judged and hybrid: 3.5 spreads or 25 %), very far is 35 % (40 %).

            One bad day is often chance. Two in a row, or one collapse, rarely are. The model itself becomes
            COOKED only if a second use case is COOKED or two others are SUSPICIOUS.

            Look at the conditions in `assay verdict MODEL` first: another served model or fingerprint would
            explain the fall. Then compare a run from before the fall with today's: `assay compare RUN RUN
            --model MODEL` names the cases that changed.
        """),
    )


class ModelState(DocumentedStrEnum):
    """The seed's state of one (model, day); precedence GAP, CALIBRATING, then the verdict."""

    GAP = (
        "GAP",
        HelpText("""
            The day could not be measured fairly, so the model has no verdict. Nothing ran, more than 20 %
            of the samples of every run errored, no use case has a score, or fewer than 80 % of all cases
            are in common with the baseline. The reason is shown beside the state.

            An outage does not make a model worse. If missing answers counted as wrong ones, every broken
            endpoint would look like a collapse.

            Read the reason. `assay show RUN --only error` lists what failed, and `assay resume RUN` asks
            for the failed samples again and judges the day anew. A gap that stays does no harm: it neither
            counts towards a fall nor interrupts one.
        """),
    )
    CALIBRATING = (
        "CALIBRATING",
        HelpText("""
            No use case of the model has a baseline yet. A baseline needs 5 scored days among the 14 days
            before the day.

            The watch compares a model with itself only. Without recent history it cannot see a fall, not
            even a large one, so these days say nothing about the model's quality.

            Run `assay watch` every day; the first verdict follows on the sixth scored day. `assay import
            table` adds days that were recorded elsewhere. A new version of the suite starts without
            history. Runs that are weeks apart never calibrate: compare them with `assay compare`.
        """),
    )
    OK = (
        "OK",
        HelpText("""
            No use case of the model is SUSPICIOUS or COOKED, and at least one has a baseline.

            It means that no fall is visible, not that there is none. A small loss hides in the noise of a
            few cases, and a slow one takes the 14-day baseline down with it.

            Nothing. If `carried over` stands beside the state, it is the state of an earlier day, and the
            reason says why this day could not change it. `assay verdict MODEL` also shows the sequential
            test and the golden baseline, which detect slow declines.
        """),
    )
    SUSPICIOUS = (
        "SUSPICIOUS",
        HelpText("""
            At least one use case is below its baseline, but too few are COOKED for the whole model to be.

            It is a warning, and many such warnings are false: the daily suite tests ten use cases with five
            questions each every day. `assay watch simulate` estimates how often a model that did not change
            gets this state on your suite.

            Do not act on one day. `assay verdict MODEL` shows which use cases fell, by how much, and
            whether parameters, served model, fingerprint or judge changed. Look again after the next run.
        """),
    )
    COOKED = (
        "COOKED",
        HelpText("""
            The model is clearly worse than in its own last 14 days. Two or more use cases are COOKED, or
            one is COOKED and two or more are SUSPICIOUS.

            One use case can fall by chance, several at once rarely do. It points to the model or to how it
            is served: a new version, a cheaper quantisation, another provider.

            `assay verdict MODEL` shows the evidence: scores, changed cases, changed conditions. If several
            models behind one provider fell on the same day, suspect the provider. If you depend on the
            model, switch or pin another provider. It stays `down` until three normal days in a row.

            Coding falls from 90 to 65 and 70, maths from 80 to 60 and 60. On the first day both use cases
            and the model are SUSPICIOUS; on the second day all three are COOKED.
        """),
    )


class StateReason(DocumentedStrEnum):
    """Why a model or a use case has no verdict of its own on a day."""

    NO_SAMPLES = (
        "no samples",
        HelpText("""
            The model, or this use case of it, was not measured on this day.

            A missing day is no evidence. It neither counts towards a fall nor interrupts one, but it makes
            the baseline thinner: with fewer than 5 scored days in the window the use case calibrates again.

            Make sure that `assay watch` runs every day: see `assay runs`. A missed day cannot be made up
            for, because answers of today say nothing about yesterday; use `--day` only for a run that
            crossed midnight.
        """),
    )
    ERRORS = (
        "too many errors",
        HelpText("""
            More than 20 % of the model's samples errored in every run of the day, or all samples of the use
            case errored.

            This is an outage. The answers that did arrive are a selection (the easy cases, or those before
            the outage), so a score over them would not be comparable. Exactly 20 % is still accepted, and
            of several runs on one day only the broken ones are left out.

            `assay show RUN --only error` shows the kinds of error, each with its own page. When the cause
            is gone, `assay resume RUN` asks for these samples again and the day is judged anew.
        """),
    )
    UNGRADED = (
        "too many ungraded",
        HelpText("""
            More than 20 % of the answers of this use case are ungraded on this day, so it has no score.

            The model answered; the judge or the sandbox did not do its part. Graded answers alone could be
            the ones that were easy to grade. Up to 20 % ungraded answers are left out and counted.

            `assay show RUN --only ungraded` lists them, and `assay show RUN.SAMPLE` gives the reason. After
            mending the judge's key or the sandbox (`assay doctor`), `assay grade RUN --only ungraded`
            completes the marks.
        """),
    )
    REROUTED = (
        "rerouted",
        HelpText("""
            So many answers came from another provider than the pin that too few are left to judge the model
            or use case by.

            The same weights on another provider can behave differently: other quantisation, other limits,
            another template. Judging these answers against the pinned provider's history would blame the
            model for a change of service.

            `assay show RUN.SAMPLE` names the provider that answered. If the pinned provider is only down,
            wait. If it no longer offers the model, choose another with `assay model add MODEL --pin NAME`;
            the history then starts again.
        """),
    )
    FEW_CASES = (
        "too few common cases",
        HelpText("""
            Fewer than 80 % of the cases are in common with the baseline. Counted are the cases that were
            scored on this day or on at least half of the baseline's days.

            Means over different questions cannot be compared. If the hardest of five cases is missing, the
            mean rises without any change of the model; if the easiest is, it falls.

            `assay verdict MODEL` names the missing and the new cases. Ask again for the samples that
            errored (`assay resume RUN`). Cases that stay away leave the baseline after they were missing on
            more than half of its days.
        """),
    )
    NO_SCORE = (
        "no score",
        HelpText("""
            Samples of the model arrived, but no use case has a score on this day.

            Each use case has a reason of its own, for example ungraded answers in one and other cases than
            the baseline's in another. Together they leave nothing to judge, so the model is a GAP.

            `assay verdict MODEL` lists the reason of each use case. Start with the one that most of them
            share.
        """),
    )
    FEW_DAYS = (
        "too few days",
        HelpText("""
            There are not yet 5 scored days in the 14 days before this one, so there is no baseline.

            A mean of fewer days, and above all their spread, would be too uncertain to call a score
            unusual. The state is CALIBRATING until then.

            Run `assay watch` on every day. Days that were GAP, whose judge had moved, or whose suite
            version was another do not count as scored days. `assay import table` adds days that were
            recorded elsewhere.
        """),
    )
    OTHER_CONDITIONS = (
        "other conditions",
        HelpText("""
            The day was measured with other parameters or another judge than its baseline, so its state is
            carried over from the last day that counted.

            Both are changes on our side. A model that is asked without `reasoning_effort`, or marked by a
            stricter judge, scores lower although it did not change.

            Undo the change if it was a mistake: parameters are in the workspace and the suite, the judge is
            `--judge`. Otherwise wait: after 5 days under the new conditions these make a baseline, and the
            model is judged again from the sixth day on.
        """),
    )
    JUDGE_MOVED = (
        "judge moved",
        HelpText("""
            The judge's mean mark on its calibration answers has moved by more than 0.3 (of 1-5), so its use
            cases keep their earlier states today.

            The calibration answers never change, so the judge did. Its marks of the model are then too high
            or too low by a similar amount, and a fall could be the judge's.

            Nothing for a day or two: verdicts are frozen as long as it lasts, and frozen days do not enter
            baselines. If the judge stays moved, pin another judge in the suite or with `--judge`; five days
            later the use cases are judged again.
        """),
    )
    JUDGE_UNREADABLE = (
        "judge unreadable",
        HelpText("""
            Too few of the judge's marks on its calibration answers could be read, so nobody knows whether
            the judge has moved.

            A judge that suddenly writes no valid marks has often been replaced or reconfigured. Its use
            cases keep their earlier states today instead of trusting it.

            Calibrate once more with `assay judge calibrate` and read which marks are missing. Errors pass
            with the provider's outage; replies without a mark do not, and then another judge is needed
            (`--judge`).
        """),
    )
    UNDERPOWERED = (
        "underpowered",
        HelpText("""
            The use case looks suspicious, but fewer than 80 % of its full number of samples are scored, so
            the day changes nothing and the earlier state is carried over.

            A suspicious first sample makes the watch repeat the use case at its full count, because a few
            samples fall by chance. Here the repetition is missing or failed: too many errors, or the budget
            ran out.

            `assay resume RUN` completes the repetition, and the day is judged anew. If the reason is the
            budget, raise `--max-cost`: `assay watch --dry-run` shows what the repetitions can cost.
        """),
    )


class VerdictMark(DocumentedStrEnum):
    """What can be shown beside a state without changing it."""

    CARRIED_OVER = (
        "carried over",
        HelpText("""
            The state is that of the last day that counted, because this day's evidence may not change it.
            In JSON this is `held`, in a row of day marks `~`, `ŝ` or `Ĉ`.

            An OK that is carried over does not mean that today was fine, nor a COOKED that the model is
            still bad. `reading` in the JSON is what the day's numbers alone would say.

            Read the reason beside it: the judge moved, the conditions changed, or a suspicious day lacks
            samples. Each has a page of its own.
        """),
    )
    DOWN = (
        "still down",
        HelpText("""
            The model was COOKED and has not recovered: some use case has not been back in the band of its
            baseline from before the fall for three scored days in a row. In JSON this is `down`.

            The 14-day baseline sinks with the model, so after two weeks the state reads OK at the lower
            level. This mark keeps comparing with the old level.

            Treat the model as worse, even if its state is OK. `assay verdict MODEL --json` has, under
            `fall`, the first day of the fall, the old baseline and the number of normal days so far.
        """),
    )
    ALARM = (
        "ALARM",
        HelpText("""
            The sequential test, or the fleet-adjusted one, has collected enough evidence that the scores
            fell. The day on which the fall probably began is given with it.

            Unlike the daily states it may be looked at every day: a model that does not change raises at
            most 0.05 alarms a year, as long as its days are independent. It sees small lasting falls that
            no single day shows.

            Take it seriously even if the state is OK. The line `false alarm rate` says whether the days
            are independent enough. Compare runs before and after the day with `assay compare RUN RUN`.
        """),
    )
    ROUTING_CHANGED = (
        "routing changed",
        HelpText("""
            Some answers came from another provider than the model's pin. They are left out of the verdict
            and counted; the others are judged as usual.

            Another provider of the same model is another service: its answers must not look like a fall,
            nor hide one.

            A few such answers need no action. If many come from elsewhere, the pinned provider is failing
            or the router ignores the pin: `assay show RUN.SAMPLE` names who answered.
        """),
    )
    PROVIDER_FALL = (
        "fell on this day",
        HelpText("""
            Two or more models behind one provider fell from OK on the same day, and by chance that would
            happen on at most 1 % of days if they fell independently.

            The common cause is then probably the provider: new hardware, quantisation, an outage in
            disguise. Each model alone would look as if it had become worse.

            See whether models behind other providers fell too; the page and the JSON (`provider_fall`)
            count them. If they did not, ask the provider or pin another one.
        """),
    )
