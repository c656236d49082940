const { first, titles, specs, models, days } = JSON.parse(document.getElementById("data").textContent);
const DAY = 86_400_000;
const STATES = { g: "gap", c: "calibrating", o: "ok", s: "suspicious", k: "cooked" };
const KINDS = ["ok", "invalid", "error", "ungraded"];

const start = (model, index) => Date.parse(first) + (model.begin + index) * DAY;
const iso = (time) => new Date(time).toISOString().slice(0, 10);
const fixed = (value) => (value === null ? "–" : value.toFixed(1).replace("-", "−"));
const percent = (share) => `${Math.round(100 * share)} %`.replace("-", "−");

function dayRow(time) {
  return { day: time, from: time - DAY / 2, to: time + DAY / 2 };
}

// The days before the model was first measured; with them, the charts of all models span the same days.
function before(model) {
  return Array.from({ length: model.begin }, (_, index) => {
    const time = start(model, index - model.begin);
    return {
      ...dayRow(time), score: null, mean: null, low: null, high: null, level: null, alarm: false, fit: false,
      state: "none", text: `${iso(time)}\nnot measured yet`,
    };
  });
}

function scoreRows(model, useCase) {
  return useCase.score.map((score, index) => {
    const time = start(model, index);
    const state = STATES[useCase.states[index]];
    const [mean, spread] = [useCase.mean[index], useCase.spread[index]];
    const fit = useCase.fit[index] === "1";
    const counts = useCase.counts.map((column) => column[index]);
    const lines = [`${iso(time)}: ${state.toUpperCase()}`, score === null ? "no score" : `score ${fixed(score)}`];
    if (mean !== null) lines.push(`baseline ${fixed(mean)} ± ${fixed(spread)}`);
    if (useCase.z[index] !== null) {
      const drop = useCase.drop[index];
      lines.push(`z ${fixed(useCase.z[index])}` + (drop === null ? "" : `, drop ${percent(drop)}`));
    }
    if (score !== null && !fit) lines.push("this score did not change the state, which was carried over");
    const total = counts.reduce((sum, count) => sum + count, 0);
    lines.push(`n ${total}: ${counts.map((count, kind) => `${count} ${KINDS[kind]}`).join(", ")}`);
    return {
      ...dayRow(time), score, mean, state, fit,
      low: mean === null ? null : Math.max(0, mean - spread),
      high: mean === null ? null : Math.min(100, mean + spread),
      text: lines.join("\n"),
    };
  });
}

function sequentialRows(model) {
  const alarms = new Set(model.sequential.alarms);
  return model.sequential.level.map((level, index) => {
    const time = start(model, index);
    const evidence = level === null ? "no evidence yet" : `evidence ${Number(level.toPrecision(2))} of 1`;
    return {
      ...dayRow(time), alarm: alarms.has(index),
      level: level === null ? null : Math.max(level, 1e-4),
      text: `${iso(time)}${alarms.has(index) ? ": ALARM" : ""}\n${evidence}`,
    };
  });
}

async function draw(place) {
  const model = models[place.dataset.model];
  const sequential = "sequential" in place.dataset;
  const rows = sequential ? sequentialRows(model) : scoreRows(model, model.useCases[place.dataset.useCase]);
  const spec = { ...(sequential ? specs.sequential : specs.scores), datasets: { days: [...before(model), ...rows] } };
  const { view } = await window.vegaEmbed(place, spec, {
    ast: true, actions: false, renderer: "svg", defaultStyle: false, mode: "vega-lite",
    tooltip: (_, event, item, value) => (value ? show(String(value), event.clientX, event.clientY) : hide()),
  });
  // On a site, a day of a chart leads to its cases.
  if (days) view.addEventListener("click", (_, item) => {
    if (item?.datum?.day) location.href = days.replace("DAY", iso(item.datum.day));
  });
  place.querySelector("svg").setAttribute("aria-hidden", "true");
  place.dataset.drawn = "";
}

// Charts in view are drawn first, the others when the browser is idle, so that all can be printed without scrolling.
const waiting = new Set(document.querySelectorAll(".chart"));
const inView = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) if (isIntersecting) drawOnce(target);
}, { rootMargin: "400px" });

function drawOnce(place) {
  if (!waiting.delete(place)) return undefined;
  inView.unobserve(place);
  return draw(place);
}

async function drawRest() {
  const [place] = waiting;
  if (place === undefined) return;
  await drawOnce(place);
  idle(drawRest);
}

const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 20));
for (const place of waiting) inView.observe(place);
idle(drawRest);
addEventListener("beforeprint", () => {
  for (const place of waiting) drawOnce(place);
});

function cell(row, kind, text) {
  const element = document.createElement(kind);
  element.textContent = text;
  row.append(element);
  return element;
}

function dailyTable(model) {
  const table = document.createElement("table");
  const useCases = Object.entries(model.useCases);
  const head = table.createTHead().insertRow();
  for (const name of ["Day", ...useCases.map(([place]) => titles[place])]) cell(head, "th", name).scope = "col";
  const body = table.createTBody();
  for (let index = model.sequential.level.length - 1; index >= 0; index--) {
    const row = body.insertRow();
    cell(row, "th", iso(start(model, index))).scope = "row";
    for (const [, useCase] of useCases) {
      const state = STATES[useCase.states[index]];
      const flag = state === "ok" ? "" : ` ${state.toUpperCase()}`;
      cell(row, "td", fixed(useCase.score[index]) + flag);
    }
  }
  return table;
}

for (const details of document.querySelectorAll("details.daily")) {
  details.addEventListener("toggle", () => {
    details.querySelector(".wide").replaceChildren(dailyTable(models[details.dataset.model]));
  }, { once: true });
}

for (const strip of document.querySelectorAll(".strip")) {
  const marks = [...strip.querySelectorAll("button")];
  const last = marks.at(-1);
  for (const mark of marks) {
    mark.setAttribute("aria-label", mark.title);
    mark.removeAttribute("title");
    mark.tabIndex = mark === last ? 0 : -1;
  }
  strip.addEventListener("keydown", (event) => {
    const here = marks.indexOf(document.activeElement);
    const step = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: marks.length - 1 }[event.key];
    if (marks[step] === undefined) return;
    event.preventDefault();
    marks[here].tabIndex = -1;
    marks[step].tabIndex = 0;
    marks[step].focus();
  });
  const showMark = (event) => {
    if (!event.target.matches("button")) return;
    const box = event.target.getBoundingClientRect();
    show(event.target.ariaLabel, box.left - 12, box.bottom - 12);
  };
  strip.addEventListener("focusin", showMark);
  strip.addEventListener("pointerover", showMark);
  strip.addEventListener("focusout", hide);
  strip.addEventListener("pointerout", hide);
}
