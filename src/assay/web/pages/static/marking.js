// Marking blind: a question, its key, an answer; stars and why. Whose answer it is, the service does not tell.

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
  constructor({ main, disciplines, stopwatch, told }) {
    Object.assign(this, { main, stopwatch, told, answer: null, busy: false });
    this.names = Object.fromEntries(disciplines.map(({ code, name }) => [code, name]));
  }

  async next(notice = null) {
    if (this.busy) return;
    this.busy = true;
    try {
      const found = await request("GET", "/review/answer");
      this.told(found.reviewer);
      this.answer = found.answer;
      if (this.answer === null) this.drawEmpty(found.reviewer, notice);
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
      ...field("Reason", this.reason, "a sentence is enough"), this.error,
      el("div", { class: "row" }, el("button", { type: "submit", class: "main" }, "Record")));
    show(this.main, notice && el("p", { class: "notice" }, notice),
      el("article", {}, heading,
        el("p", { class: "meta" }, el("span", {}, this.names[discipline] || plain(discipline)), el("span", {}, "whose answer it is, is not told")),
        el("section", {}, el("h3", {}, "Question as it was put"), el("div", { class: "text material", tabIndex: 0, role: "region", "aria-label": "Question" }, question)),
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
      this.error.textContent = stars < 0 ? "Give stars, 0 to 3." : "Say in a sentence why.";
      (stars < 0 ? this.radios[0] : this.reason).focus();
      return;
    }
    this.busy = true;
    let notice = null;
    try {
      const mark = { stars, reason: this.reason.value.trim(), seconds: this.stopwatch.seconds() };
      this.told((await request("PUT", `/review/answers/${this.answer.code}`, mark)).reviewer);
      say("Recorded.");
    } catch (problem) {
      if (problem.status !== 409) {
        this.error.textContent = problem.message;
        return;
      }
      notice = `That mark was not taken: ${problem.message}.`;
    } finally {
      this.busy = false;
    }
    await this.next(notice);
  }

  drawEmpty(reviewer, notice) {
    const capped = reviewer !== null && reviewer.to_mark > 0;
    const heading = el("h2", { tabIndex: -1 }, reviewer === null ? "That did not work" : capped ? "That is enough for today" : "No answer waits for your stars");
    const told = reviewer === null ? notice : capped
      ? `You have marked ${reviewer.marked_today} answers, your daily cap. The next day begins at midnight UTC.`
      : "Answers are given to reviewers by whoever runs the exam.";
    show(this.main, reviewer !== null && notice && el("p", { class: "notice" }, notice),
      el("div", { class: "empty" }, heading, el("p", {}, told),
        el("button", { type: "button", on: { click: () => this.next() } }, "Look again")));
    heading.focus();
  }

  press(key) {
    if (this.answer === null || !/^[0-3]$/.test(key)) return false;
    this.radios[Number(key)].checked = true;
    this.reason.focus();
    return true;
  }
}
