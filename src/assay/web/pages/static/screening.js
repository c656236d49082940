// Screening: each question is accepted, rejected, corrected or skipped.

import { request } from "/review/api.js";
import { el, field, say, show } from "/review/dom.js";
import { editPanel } from "/review/editing.js";
import { reasonPanel } from "/review/panels.js";
import { drawQuestion, plain } from "/review/question.js";

const DONE = { accepted: "Accepted.", rejected: "Rejected.", reviewed: "Recorded: another reviewer reads it too." };

export class Screening {
  // `showProgress` is called with the latest reviewer of each reply.
  constructor({ main, disciplines, kinds, stopwatch, showProgress }) {
    Object.assign(this, { main, disciplines, stopwatch, showProgress, skipped: [], question: null, busy: false, panel: null, reads: [] });
    this.kind = el("select", { id: "kind", on: { change: () => this.choose() } },
      el("option", { value: "" }, "all kinds"), kinds.map((kind) => el("option", { value: kind }, plain(kind))));
    this.filter = el("div", { class: "filter" }, field("Kind", this.kind));
    this.names = Object.fromEntries(disciplines.map(({ code, name }) => [code, name]));
  }

  // Shows questions of another kind; the focus stays where the kind is chosen.
  async choose() {
    await this.next();
    this.kind.focus();
  }

  async next(notice = null) {
    if (this.busy) return;
    this.busy = true;
    try {
      const wanted = new URLSearchParams();
      if (this.skipped.length) wanted.set("skip", this.skipped.join(","));
      if (this.kind.value) wanted.set("kind", this.kind.value);
      const reply = await request("GET", `/review/question${wanted.size ? `?${wanted}` : ""}`);
      this.showProgress(reply.reviewer);
      this.reads = reply.reviewer.disciplines;
      this.question = reply.question;
      if (this.question === null) this.drawEmpty(reply.reviewer, notice);
      else this.draw(notice);
      this.stopwatch.restart();
    } catch (problem) {
      this.question = null;
      this.drawFailure(problem);
    } finally {
      this.busy = false;
    }
  }

  // Shows a question whose decision was undone.
  take(question) {
    this.question = question;
    this.draw("Your decision is undone. Decide again, or skip the question.");
    this.stopwatch.restart();
  }

  draw(notice) {
    this.panel = null;
    const article = drawQuestion(this.question, this.names);
    this.bar = el("div", { class: "actions" });
    this.error = el("p", { class: "error", role: "alert" });
    show(this.main, notice && el("p", { class: "notice" }, notice), this.filter, article, this.bar);
    this.drawBar();
    scrollTo({ top: 0 });
    article.querySelector("#stem").focus({ preventScroll: true });
    if (notice) say(notice);
  }

  drawBar() {
    this.panel = null;
    delete this.main.dataset.panel;
    this.error.textContent = "";
    const button = (name, words, action, kind) =>
      el("button", { type: "button", id: `do-${name}`, class: kind, on: { click: action }, "aria-keyshortcuts": words[0].toLowerCase() }, words);
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
    if (!this.question.findings.some(({ severity }) => severity === "blocks")) {
      this.send("accept", "");
      return;
    }
    const panel = reasonPanel({
      heading: "Accept it in spite of the fault?", hint: "why the fault does not matter", action: "Accept anyway",
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

  // Returns an error message for the panel; null if the decision was recorded or the question is gone.
  async send(decision, reason) {
    const { id, version } = this.question;
    const seconds = this.stopwatch.seconds();
    return this.attempt(async () => {
      const outcome = await request("POST", `/review/questions/${id}/decision`, { version, decision, reason, seconds });
      this.showProgress(outcome.reviewer);
      say(DONE[outcome.state] || outcome.state);
    });
  }

  async save(edit) {
    let saved = null;
    const error = await this.attempt(async () => {
      saved = await request("PUT", `/review/questions/${this.question.id}`, edit);
    }, false);
    if (saved === null) return error;
    if (this.reads.length && !this.reads.includes(saved.discipline)) {
      await this.next("Saved as a new version, which the reviewers of its discipline now read.");
      return null;
    }
    this.question = saved;
    this.draw("Saved as a new version; the original is kept. Now decide on this one.");
    return null;
  }

  async attempt(action, next = true) {
    if (this.busy) return null;
    this.busy = true;
    this.main.setAttribute("aria-busy", "true");
    let notice = null;
    try {
      await action();
    } catch (problem) {
      if (!this.isGone(problem)) {
        this.error.textContent = problem.message;
        return problem.message;
      }
      if (!problem.message.includes("daily cap")) {
        notice = `This question was settled or changed meanwhile, so your input was not recorded. (${problem.message}.)`;
      }
      next = true;
    } finally {
      this.busy = false;
      this.main.removeAttribute("aria-busy");
    }
    if (next) await this.next(notice);
    return null;
  }

  // Returns true if another reviewer has decided on the question or changed it.
  isGone(problem) {
    return problem.status === 404 || (problem.status === 409 && !problem.message.includes("has that content already"));
  }

  drawEmpty(reviewer, notice) {
    delete this.main.dataset.panel;
    const capped = reviewer.read_today >= reviewer.daily_cap;
    const heading = el("h2", { tabIndex: -1 }, capped ? "You have reached your daily cap" : "You have no questions to read");
    const explanation = capped
      ? `You have read ${reviewer.read_today} questions today. You can continue after midnight UTC.`
      : `All questions ${this.kind.value ? "of this kind " : ""}in your disciplines are read, except those that ${this.skipped.length > 0 ? "you skipped or " : ""}others are reading now.`;
    const again = !capped && this.skipped.length > 0;
    show(this.main, notice && el("p", { class: "notice" }, notice), !capped && this.filter, el("div", { class: "empty" }, heading, el("p", {}, explanation),
      again && el("button", { type: "button", on: { click: () => { this.skipped = []; this.next(); } } }, "Show skipped questions"),
      !again && !capped && el("button", { type: "button", on: { click: () => this.next() } }, "Check again")));
    heading.focus();
  }

  drawFailure(problem) {
    const heading = el("h2", { tabIndex: -1 }, problem.status === 503 ? "Reviewing is not possible at the moment" : "The request failed");
    show(this.main, el("div", { class: "empty" }, heading, el("p", {}, problem.message),
      el("button", { type: "button", on: { click: () => this.next() } }, "Try again")));
    heading.focus();
  }

  // Carries out a shortcut. Returns true if the key is one.
  press(key) {
    if (key === "Escape" && this.panel) {
      this.close();
      return true;
    }
    const action = { a: this.accept, r: this.reject, e: this.edit, s: this.skip }[key.toLowerCase()];
    if (!action || this.panel || this.busy || this.question === null) return false;
    action.call(this);
    return true;
  }
}
