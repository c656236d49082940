// The form for the reason of a rejection, or of an acceptance in spite of a fault.

import { el, field } from "/review/dom.js";

const REASONS = [
  "the key is wrong",
  "several answers are right",
  "it cannot be answered in this form",
  "it refers to something that is missing",
  "it is out of date",
  "another question asks the same",
  "it does not belong to any of the disciplines",
];

// `record` receives the reason and returns a promise of an error message, or of null. `close` goes back to the question.
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
