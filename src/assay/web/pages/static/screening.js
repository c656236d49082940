// Screening: one question after the other, accepted, rejected, put right, or left for later.

import { request } from "/review/api.js";
import { el, say, show } from "/review/dom.js";
import { editPanel } from "/review/editing.js";
import { reasonPanel } from "/review/panels.js";
import { drawQuestion } from "/review/question.js";

const DONE = { accepted: "Accepted.", rejected: "Rejected.", reviewed: "Noted: another reviewer reads it too." };

export class Screening {
  // `told` is called with the reviewer's standing whenever that is known anew.
  constructor({ main, disciplines, stopwatch, told }) {
    Object.assign(this, { main, disciplines, stopwatch, told, skipped: [], question: null, busy: false, panel: null });
    this.names = Object.fromEntries(disciplines.map(({ code, name }) => [code, name]));
  }

  async next(notice = null) {
    if (this.busy) return;
    this.busy = true;
    try {
      const skip = this.skipped.length ? `?skip=${this.skipped.join(",")}` : "";
      const found = await request("GET", `/review/question${skip}`);
      this.told(found.reviewer);
      this.reads = found.reviewer.disciplines;
      this.question = found.question;
      if (this.question === null) this.drawEmpty(found.reviewer, notice);
      else this.draw(notice);
      this.stopwatch.restart();
    } catch (problem) {
      this.question = null;
      this.drawFailure(problem);
    } finally {
      this.busy = false;
    }
  }

  draw(notice) {
    this.panel = null;
    const article = drawQuestion(this.question, this.names);
    this.bar = el("div", { class: "actions" });
    this.error = el("p", { class: "error", role: "alert" });
    show(this.main, notice && el("p", { class: "notice" }, notice), article, this.bar);
    this.drawBar();
    scrollTo({ top: 0 });
    article.querySelector("#stem").focus({ preventScroll: true });
    if (notice) say(notice);
  }

  drawBar() {
    this.panel = null;
    delete this.main.dataset.panel;
    this.error.textContent = "";
    const button = (name, words, deed, kind) =>
      el("button", { type: "button", id: `do-${name}`, class: kind, on: { click: deed }, "aria-keyshortcuts": words[0].toLowerCase() }, words);
    show(this.bar, this.error, el("div", { class: "row" },
      button("accept", "Accept", () => this.accept(), "main"),
      button("reject", "Reject…", () => this.reject(), "stop"),
      button("edit", "Edit…", () => this.edit()),
      button("skip", "Skip", () => this.skip(), "spread")));
  }

  open(panel, opener) {
    this.panel = { ...panel, opener };
    if (opener === "do-edit") this.main.dataset.panel = "edit";
    show(this.bar, panel.form);
    panel.focus();
  }

  close() {
    const opener = this.panel?.opener;
    this.drawBar();
    (opener && document.getElementById(opener) || this.main).focus();
  }

  accept() {
    if (!this.question.findings.some((each) => each.severity === "blocks")) {
      this.send("accept", "");
      return;
    }
    const panel = reasonPanel({
      heading: "Accept it in spite of the fault?", hint: "why the fault is none", action: "Accept all the same",
      record: (reason) => this.send("accept", reason), close: () => this.close(),
    });
    this.open(panel, "do-accept");
  }

  reject() {
    const panel = reasonPanel({
      heading: "Why is it rejected?", hint: "kept with your decision", action: "Reject", stop: true, chips: true,
      record: (reason) => this.send("reject", reason), close: () => this.close(),
    });
    this.open(panel, "do-reject");
  }

  edit() {
    const panel = editPanel({
      question: this.question, disciplines: this.disciplines,
      save: (edit) => this.save(edit), close: () => this.close(),
    });
    this.open(panel, "do-edit");
  }

  skip() {
    if (this.skipped.length >= 200) this.skipped.shift();
    this.skipped.push(this.question.number);
    say("Skipped.");
    this.next();
  }

  // Returns what is wrong, for the panel to show; nothing when the decision is taken or the question gone.
  async send(decision, reason) {
    const { id, version } = this.question;
    const seconds = this.stopwatch.seconds();
    return this.attempt(async () => {
      const outcome = await request("POST", `/review/questions/${id}/decision`, { version, decision, reason, seconds });
      this.told(outcome.reviewer);
      say(DONE[outcome.state] || outcome.state);
    });
  }

  async save(edit) {
    let saved = null;
    const wrong = await this.attempt(async () => {
      saved = await request("PUT", `/review/questions/${this.question.id}`, edit);
    }, false);
    if (saved === null) return wrong;
    if (this.reads.length && !this.reads.includes(saved.discipline)) {
      await this.next("Saved as a new version, which reviewers of its discipline now read.");
      return null;
    }
    this.question = saved;
    this.draw("Saved as a new version; the original is kept. Now decide on this one.");
    return null;
  }

  async attempt(deed, onwards = true) {
    if (this.busy) return null;
    this.busy = true;
    this.main.setAttribute("aria-busy", "true");
    let notice = null;
    try {
      await deed();
    } catch (problem) {
      if (!this.passed(problem)) {
        this.error.textContent = problem.message;
        return problem.message;
      }
      if (!problem.message.includes("daily cap")) {
        notice = `This one was settled or changed meanwhile, so nothing of yours was recorded. (${problem.message}.)`;
      }
      onwards = true;
    } finally {
      this.busy = false;
      this.main.removeAttribute("aria-busy");
    }
    if (onwards) await this.next(notice);
    return null;
  }

  // Whether the question is no longer there to decide on, as another reviewer came first.
  passed(problem) {
    return problem.status === 404 || (problem.status === 409 && !problem.message.includes("has that content already"));
  }

  drawEmpty(reviewer, notice) {
    delete this.main.dataset.panel;
    const capped = reviewer.read_today >= reviewer.daily_cap;
    const heading = el("h2", { tabIndex: -1 }, capped ? "That is enough for today" : "Nothing waits for you");
    const told = capped
      ? `You have read ${reviewer.read_today} questions, your daily cap. The next day begins at midnight UTC.`
      : this.skipped.length > 0 ? "But for what you skipped, and what others have before them, all is read in your disciplines."
      : "But for what others have before them, all is read in your disciplines.";
    const again = !capped && this.skipped.length > 0;
    show(this.main, notice && el("p", { class: "notice" }, notice), el("div", { class: "empty" }, heading, el("p", {}, told),
      again && el("button", { type: "button", on: { click: () => { this.skipped = []; this.next(); } } }, "Look at those I skipped"),
      !again && !capped && el("button", { type: "button", on: { click: () => this.next() } }, "Look again")));
    heading.focus();
  }

  drawFailure(problem) {
    const heading = el("h2", { tabIndex: -1 }, problem.status === 503 ? "Reviewing is not possible here just now" : "That did not work");
    show(this.main, el("div", { class: "empty" }, heading, el("p", {}, problem.message),
      el("button", { type: "button", on: { click: () => this.next() } }, "Try again")));
    heading.focus();
  }

  // Carries out a shortcut; true when there was one.
  press(key) {
    if (key === "Escape" && this.panel) {
      this.close();
      return true;
    }
    const deed = { a: this.accept, r: this.reject, e: this.edit, s: this.skip }[key.toLowerCase()];
    if (!deed || this.panel || this.busy || this.question === null) return false;
    deed.call(this);
    return true;
  }
}
