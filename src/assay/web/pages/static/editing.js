// The form that corrects a question. The service keeps the original, and the new version is reviewed again.

import { el, field } from "/review/dom.js";
import { letter } from "/review/question.js";
import { sendOnCtrlEnter } from "/review/panels.js";

// `save` receives the edit and returns a promise of an error message, or of null.
export function editPanel({ question, disciplines, save, close }) {
  const lang = question.language === "zh" ? "zh-Hans" : question.language;
  const area = (value, rows = 1) => el("textarea", { value, rows, lang, maxLength: 100000 });
  const stem = area(question.stem, 3);
  const explanation = area(question.explanation, 2);
  const reason = el("input", { type: "text", maxLength: 2000 });
  const discipline = el("select", {}, disciplines.map(({ code, name }) =>
    el("option", { value: code, selected: code === question.discipline }, name)));
  const error = el("p", { class: "error", role: "alert" });
  const answers = question.options.length > 0 ? optionRows(question, area) : keyRows(question, area);

  const submit = async (event) => {
    event.preventDefault();
    const fault = !reason.value.trim() ? [reason, "Say what was wrong: the reason is kept with the original."]
      : !stem.value.trim() ? [stem, "The question is empty."] : answers.fault();
    if (fault) {
      error.textContent = fault[1];
      fault[0].focus();
      return;
    }
    error.textContent = await save({
      version: question.version,
      stem: stem.value,
      ...answers.read(),
      explanation: explanation.value,
      discipline: discipline.value,
      reason: reason.value.trim(),
    }) || "";
  };
  const form = el("form", { class: "panel", noValidate: true, on: { submit, keydown: sendOnCtrlEnter } },
    el("h2", {}, "Correct the question"),
    ...field("Question", stem), answers.shown,
    ...field("Explanation", explanation),
    el("div", { class: "two" },
      el("div", {}, ...field("Discipline", discipline)),
      el("div", {}, ...field("What was wrong", reason, "kept with the original"))),
    error,
    el("div", { class: "row" },
      el("button", { type: "submit", class: "main" }, "Save as a new version"),
      el("button", { type: "button", on: { click: close } }, "Back")));
  return { form, focus: () => stem.focus() };
}

function optionRows(question, area) {
  const list = el("div");
  const rows = [];
  const renumber = () => rows.forEach((row, place) => {
    row.name.textContent = letter(place);
    row.text.setAttribute("aria-label", `Option ${letter(place)}`);
    row.right.setAttribute("aria-label", `Option ${letter(place)} is right`);
    row.removeButton.setAttribute("aria-label", `Remove option ${letter(place)}`);
  });
  const add = (value, checked) => {
    const row = { text: area(value), right: el("input", { type: "checkbox", checked }), name: el("span") };
    row.removeButton = el("button", { type: "button", class: "plain small", on: { click: () => {
      rows.splice(rows.indexOf(row), 1);
      row.shown.remove();
      renumber();
    } } }, "remove");
    row.shown = el("div", { class: "option-row" },
      el("label", { class: "check" }, row.right, row.name), row.text, row.removeButton);
    rows.push(row);
    list.append(row.shown);
    renumber();
    return row;
  };
  question.options.forEach((text, place) => add(text, question.key.includes(letter(place))));
  const more = el("button", { type: "button", class: "plain small", on: { click: () => add("", false).text.focus() } }, "add an option");
  return {
    shown: el("fieldset", {}, el("legend", {}, "Options ", el("small", {}, "tick the right ones")), list, more),
    read: () => ({
      options: rows.map((row) => row.text.value),
      key: rows.flatMap((row, place) => (row.right.checked ? [letter(place)] : [])),
    }),
    fault: () => (!rows.some((row) => row.right.checked) ? [rows[0]?.right || more, "Tick at least one option as right."]
      : empty(rows, "An option is empty: write its text, or remove it.")),
  };
}

function keyRows(question, area) {
  const list = el("div");
  const rows = [];
  const add = (value) => {
    const row = { text: area(value) };
    row.removeButton = el("button", { type: "button", class: "plain small", on: { click: () => {
      rows.splice(rows.indexOf(row), 1);
      row.shown.remove();
    } } }, "remove");
    row.text.setAttribute("aria-label", `Answer ${rows.length + 1}`);
    row.removeButton.setAttribute("aria-label", `Remove answer ${rows.length + 1}`);
    row.shown = el("div", { class: "answer-row" }, row.text, row.removeButton);
    rows.push(row);
    list.append(row.shown);
    return row;
  };
  question.key.forEach(add);
  const more = el("button", { type: "button", class: "plain small", on: { click: () => add("").text.focus() } }, "add an answer");
  const hint = question.kind === "true-or-false" ? "True or False" : "one for each blank";
  return {
    shown: el("fieldset", {}, el("legend", {}, "Key ", el("small", {}, hint)), list, more),
    read: () => ({ options: [], key: rows.map((row) => row.text.value) }),
    fault: () => (rows.length === 0 ? [more, "The key is empty: add an answer."]
      : empty(rows, "An answer is empty: write its text, or remove it.")),
  };
}

function empty(rows, words) {
  const row = rows.find(({ text }) => !text.value.trim());
  return row ? [row.text, words] : null;
}
