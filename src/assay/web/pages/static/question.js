// A question with its key, drawn for a reviewer.

import { el } from "/review/dom.js";

export const letter = (place) => String.fromCharCode(65 + place);
const STATES = { raw: "not reviewed yet", reviewed: "already read by another reviewer" };

export function drawQuestion(question, names) {
  const lang = question.language === "zh" ? "zh-Hans" : question.language;
  return el("article", { "aria-labelledby": "stem" },
    meta(question, names),
    findings(question),
    question.passage !== null && el("section", {},
      el("h3", {}, "Material"),
      el("div", { class: "text material", lang, tabIndex: 0, role: "region", "aria-label": "Material" }, question.passage)),
    el("h2", { id: "stem", class: "text stem", lang, tabIndex: -1 }, question.stem),
    question.options.length > 0 && options(question, lang),
    key(question, lang),
    question.explanation && el("section", { class: "explanation" },
      el("h3", {}, "Explanation"), el("p", { class: "text", lang }, question.explanation)),
    question.near.map(twin));
}

function meta(question, names) {
  const part = question.secondary ? `, ${plain(question.secondary)}` : "";
  return el("p", { class: "meta" },
    el("strong", {}, plain(question.kind)),
    el("span", {}, (names[question.discipline] || question.discipline) + part),
    el("span", {}, `no. ${question.number.toLocaleString("en")}`),
    question.version > 1 && el("span", {}, `edited, version ${question.version}`),
    question.made_from && el("span", {}, "made from another question"),
    el("span", {}, STATES[question.state] || question.state));
}

function findings(question) {
  if (!question.findings.length) return null;
  return el("ul", { class: "findings", "aria-label": "Findings of the mechanical screening" },
    question.findings.map(({ severity, text }) => el("li", { class: severity },
      el("b", {}, severity === "blocks" ? "Fault: " : "Check: "), text)));
}

function options(question, lang) {
  return el("ol", { class: "options", "aria-label": "Options" },
    question.options.map((text, place) => {
      const right = question.key.includes(letter(place));
      return el("li", { class: right && "right" },
        el("span", { class: "letter" }, `${letter(place)}.`),
        el("span", { class: "text", lang }, text),
        right && el("span", { class: "tag" }, "✓ key"));
    }));
}

function key(question, lang) {
  const shown = question.options.length > 0
    && question.key.every((answer) => answer.length === 1 && answer >= "A" && answer < letter(question.options.length));
  if (shown) return null;
  return el("section", { class: "key" }, el("h3", {}, "Key"),
    question.key.length === 1
      ? el("p", { class: "text", lang }, question.key[0])
      : el("ol", { lang }, question.key.map((answer) => el("li", { class: "text" }, answer))));
}

function twin(near) {
  return el("details", { open: true },
    el("summary", {}, `Similar to another question (${Math.round(near.similarity * 100)} %), which is ${near.state}`),
    el("div", { class: "twin" },
      el("p", { class: "text" }, near.stem),
      near.options.length > 0 && el("ol", { type: "A" }, near.options.map((text) => el("li", { class: "text" }, text))),
      el("p", { class: "quiet small" }, near.id)));
}

export const plain = (code) => code.replaceAll("-", " ").replace(/^./, (first) => first.toUpperCase());
