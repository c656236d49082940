// What opens under a question: why it is rejected, or why accepted in spite of a fault.

import { el, field } from "/review/dom.js";

const REASONS = [
  "the key is wrong",
  "several answers are right",
  "it cannot be answered as it stands",
  "it leans on something that is not there",
  "it is out of date",
  "another question asks the same",
  "it belongs to no discipline here",
];

// `record` is given the reason; it returns a promise. `close` goes back to the question.
export function reasonPanel({ heading, hint, action, stop, chips, record, close }) {
  const reason = el("textarea", { rows: 2, maxLength: 2000, required: true });
  const error = el("p", { class: "error", role: "alert" });
  const send = async (event) => {
    event.preventDefault();
    if (!reason.value.trim()) {
      error.textContent = "Give a reason: a few words are enough.";
      reason.focus();
      return;
    }
    error.textContent = await record(reason.value.trim()) || "";
  };
  const pick = (words) => {
    reason.value = reason.value.trim() ? `${reason.value.trim()}; ${words}` : words;
    reason.focus();
  };
  const form = el("form", { class: "panel", noValidate: true, on: { submit: send, keydown: sendOnCtrlEnter } },
    el("h2", {}, heading),
    chips && el("div", { class: "chips", role: "group", "aria-label": "Common reasons" },
      REASONS.map((words) => el("button", { type: "button", class: "chip", on: { click: () => pick(words) } }, words))),
    ...field("Reason", reason, hint), error,
    el("div", { class: "row" },
      el("button", { type: "submit", class: stop ? "stop" : "main" }, action),
      el("button", { type: "button", on: { click: close } }, "Back")));
  return { form, focus: () => reason.focus() };
}

export function sendOnCtrlEnter(event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    event.currentTarget.requestSubmit();
  }
}
