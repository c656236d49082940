
// The frontier's charts contain their data; their tooltips are lists of names and values.
function tooltipText(value) {
  if (typeof value !== "object") return String(value);
  return Object.entries(value).filter(([, text]) => text !== "" && text !== "null" && text !== null)
    .map(([name, text], place) => (place === 0 ? String(text) : `${name}: ${text}`)).join("\n");
}

// Charts with single models have a parameter with the names of those that are hidden.
const planes = [];

async function plot(place) {
  const { view } = await window.vegaEmbed(place, charts[place.dataset.chart], {
    ast: true, actions: false, renderer: "svg", defaultStyle: false, mode: "vega-lite",
    tooltip: (_, event, item, value) => (value ? show(tooltipText(value), event.clientX, event.clientY) : hide()),
  });
  place.querySelector("svg").setAttribute("aria-hidden", "true");
  place.dataset.drawn = "";
  if (charts[place.dataset.chart].params?.some(({ name }) => name === "hidden")) planes.push(view);
}
for (const place of document.querySelectorAll(".plot")) plot(place);

// The slider shows one point of the sweep: quality, cost, latency, and where the prompts go.
const slider = document.getElementById("alpha-slider");
const { points } = charts;

function tellPoint() {
  const point = points[Number(slider.value)];
  const number = (value, digits) => (value === null ? "unknown" : Number(value.toPrecision(digits)).toString());
  const ends = point.low === null ? "" : ` (${number(point.low, 3)} to ${number(point.high, 3)})`;
  const shares = point.shares.slice(0, 6).map(([model, share]) => `${model} ${Math.round(100 * share)} %`).join(", ");
  const latency = point.latency === null ? "" : `, P95 latency ${number(point.latency, 3)} s`;
  document.getElementById("alpha-text").textContent =
    `alpha ${number(point.alpha, 3)}: quality ${number(point.quality, 4)}${ends}, cost ${number(point.cost, 3)} per prompt${latency}` +
    (shares ? `. Prompts go to: ${shares}${point.shares.length > 6 ? ", and others" : ""}.` : ".");
}
if (slider && points.length) {
  slider.max = String(points.length - 1);
  slider.value = slider.max;
  slider.addEventListener("input", tellPoint);
  tellPoint();
}

// Ticks show and hide the single models.
const choice = document.querySelector(".choice");

function showSingles(event) {
  const [every, ...singles] = choice.querySelectorAll("input");
  if (event.target === every) for (const single of singles) single.checked = every.checked;
  const hidden = singles.filter((single) => !single.checked).map((single) => single.value);
  every.checked = hidden.length === 0;
  every.indeterminate = hidden.length > 0 && hidden.length < singles.length;
  for (const plane of planes) plane.signal("hidden", hidden).runAsync();
}
if (choice) {
  choice.hidden = false;
  choice.addEventListener("change", showSingles);
}
