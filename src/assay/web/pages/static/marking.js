// Blind marking: a question, its key and an answer; the reviewer gives stars and a reason. The author is hidden.

import { request } from "/review/api.js";
import { el, field, say, show } from "/review/dom.js";
import { plain } from "/review/question.js";
import { sendOnCtrlEnter } from "/review/panels.js";

const STARS = [
  "wrong, and so is the explanation",
  "wrong, but part of the explanation is sound",
  "right, but only part of the explanation is sound",
  "right, with a sound explanation",
];

export class Marking {
  constructor({ main, disciplines, stopwatch, showProgress }) {
    Object.assign(this, { main, stopwatch, showProgress, answer: null, busy: false });
    this.names = Object.fromEntries(disciplines.map(({ code, name }) => [code, name]));
  }

  async next(notice = null) {
    if (this.busy) return;
    this.busy = true;
    try {
      const reply = await request("GET", "/review/answer");
      this.showProgress(reply.reviewer);
      this.answer = reply.answer;
      if (this.answer === null) this.drawEmpty(reply.reviewer, notice);
      else this.draw(notice);
      this.stopwatch.restart();
    } catch (problem) {
      this.answer = null;
      this.drawEmpty(null, problem.message);
    } finally {
      this.busy = false;
    }
  }

  draw(notice) {
    const { question, key, answer, discipline } = this.answer;
    this.radios = STARS.map((words, stars) => el("input", { type: "radio", name: "stars", value: String(stars) }));
    this.reason = el("textarea", { rows: 2, maxLength: 2000 });
    this.error = el("p", { class: "error", role: "alert" });
    const heading = el("h2", { tabIndex: -1 }, "An answer to mark");
    const form = el("form", { class: "actions", noValidate: true, on: { submit: (event) => this.send(event), keydown: sendOnCtrlEnter } },
      el("fieldset", {}, el("legend", { class: "visually-hidden" }, "Stars"),
        el("div", { class: "stars" }, STARS.map((words, stars) => el("label", {},
          this.radios[stars], el("span", { class: "count-of" }, `${stars} `, el("span", { "aria-hidden": "true" }, "★".repeat(stars) + "☆".repeat(3 - stars))),
          el("span", { class: "words" }, words))))),
      ...field("Reason", this.reason, "one sentence is enough"), this.error,
      el("div", { class: "row" }, el("button", { type: "submit", class: "main" }, "Record")));
    show(this.main, notice && el("p", { class: "notice" }, notice),
      el("article", {}, heading,
        el("p", { class: "meta" }, el("span", {}, this.names[discipline] || plain(discipline)), el("span", {}, "the author of the answer is hidden")),
        el("section", {}, el("h3", {}, "Question as the model received it"), el("div", { class: "text material", tabIndex: 0, role: "region", "aria-label": "Question" }, question)),
        el("section", { class: "key" }, el("h3", {}, "Key"), el("p", { class: "text" }, key)),
        el("section", {}, el("h3", {}, "Answer"), el("div", { class: "text answer" }, answer))),
      form);
    scrollTo({ top: 0 });
    heading.focus({ preventScroll: true });
    if (notice) say(notice);
  }

  async send(event) {
    event.preventDefault();
    if (this.busy) return;
    const stars = this.radios.findIndex((radio) => radio.checked);
    if (stars < 0 || !this.reason.value.trim()) {
      this.error.textContent = stars < 0 ? "Give stars, 0 to 3." : "Give a reason: one sentence is enough.";
      (stars < 0 ? this.radios[0] : this.reason).focus();
      return;
    }
    this.busy = true;
    let notice = null;
    try {
      const mark = { stars, reason: this.reason.value.trim(), seconds: this.stopwatch.seconds() };
      this.showProgress((await request("PUT", `/review/answers/${this.answer.code}`, mark)).reviewer);
      say("Recorded.");
    } catch (problem) {
      if (problem.status !== 409) {
        this.error.textContent = problem.message;
        return;
      }
      notice = `Your mark was not recorded: ${problem.message}.`;
    } finally {
      this.busy = false;
    }
    await this.next(notice);
  }

  drawEmpty(reviewer, notice) {
    const capped = reviewer !== null && reviewer.to_mark > 0;
    const heading = el("h2", { tabIndex: -1 }, reviewer === null ? "The request failed" : capped ? "You have reached your daily cap" : "You have no answers to mark");
    const explanation = reviewer === null ? notice : capped
      ? `You have marked ${reviewer.marked_today} answers today. You can continue after midnight UTC.`
      : "The operator of the exam assigns answers to reviewers.";
    show(this.main, reviewer !== null && notice && el("p", { class: "notice" }, notice),
      el("div", { class: "empty" }, heading, el("p", {}, explanation),
        el("button", { type: "button", on: { click: () => this.next() } }, "Check again")));
    heading.focus();
  }

  press(key) {
    if (this.answer === null || !/^[0-3]$/.test(key)) return false;
    this.radios[Number(key)].checked = true;
    this.reason.focus();
    return true;
  }
}
