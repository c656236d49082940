// The reviewer's last decisions, each of which can be undone as long as nothing has happened since.

import { request } from "/review/api.js";
import { el, say, show } from "/review/dom.js";
import { plain } from "/review/question.js";

const WORDS = { accept: "accepted", reject: "rejected" };

export class Decisions {
  // `reopen` shows the question of an undone decision; it is null if the question waits for somebody else.
  constructor({ main, disciplines, stopwatch, showProgress, reopen }) {
    Object.assign(this, { main, stopwatch, showProgress, reopen, busy: false });
    this.names = Object.fromEntries(disciplines.map(({ code, name }) => [code, name]));
  }

  async next() {
    if (this.busy) return;
    this.busy = true;
    this.stopwatch.pause();
    try {
      const reply = await request("GET", "/review/decisions");
      this.showProgress(reply.reviewer);
      this.draw(reply.decisions);
    } catch (problem) {
      this.drawMessage("The request failed", problem.message);
    } finally {
      this.busy = false;
    }
  }

  draw(decisions) {
    if (!decisions.length) {
      this.drawMessage("You have not decided on a question yet", "Your decisions will be listed here.");
      return;
    }
    this.error = el("p", { class: "error", role: "alert" });
    const heading = el("h2", { tabIndex: -1 }, "Your last decisions");
    show(this.main, heading,
      el("p", { class: "quiet" }, "To change a decision, undo it and decide again. Both stay in the history of the question."),
      this.error, el("ol", { class: "decisions" }, decisions.map((decision) => this.line(decision))));
    heading.focus();
  }

  line(decision) {
    const { number, stem, reason, refusal } = decision;
    const at = new Date(decision.at);
    const undo = el("button", { type: "button", "aria-label": `Undo: ${WORDS[decision.decision]} ${stem}`, on: { click: () => this.undo(number) } }, "Undo");
    return el("li", {},
      el("p", { class: "meta" },
        el("strong", {}, plain(WORDS[decision.decision])),
        el("time", { dateTime: decision.at }, at.toLocaleString()),
        el("span", {}, plain(decision.kind)),
        el("span", {}, this.names[decision.discipline] || decision.discipline),
        el("span", {}, `now ${decision.state}`)),
      el("p", { class: "text", dir: "auto" }, stem),
      el("p", { class: "quiet small", dir: "auto" }, reason),
      refusal === null ? undo : el("p", { class: "quiet small" }, `It cannot be undone: ${refusal}.`));
  }

  async undo(number) {
    if (this.busy) return;
    this.busy = true;
    let question = null;
    try {
      const reply = await request("POST", `/review/decisions/${number}/undo`);
      this.showProgress(reply.reviewer);
      question = reply.question;
      say("Undone.");
    } catch (problem) {
      this.error.textContent = problem.message;
      return;
    } finally {
      this.busy = false;
    }
    if (question === null) await this.next();
    else this.reopen(question);
  }

  drawMessage(title, text) {
    const heading = el("h2", { tabIndex: -1 }, title);
    show(this.main, el("div", { class: "empty" }, heading, el("p", {}, text),
      el("button", { type: "button", on: { click: () => this.next() } }, "Check again")));
    heading.focus();
  }

  press() {
    return false;
  }
}
