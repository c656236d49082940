
// The frontier's charts contain their data; their tooltips are lists of names and values.
function tooltipText(value) {
  if (typeof value !== "object") return String(value);
  return Object.entries(value).filter(([, text]) => text !== "" && text !== "null" && text !== null)
    .map(([name, text], place) => (place === 0 ? String(text) : `${name}: ${text}`)).join("\n");
}

async function plot(place) {
  await window.vegaEmbed(place, charts[place.dataset.chart], {
    ast: true, actions: false, renderer: "svg", defaultStyle: false, mode: "vega-lite",
    tooltip: (_, event, item, value) => (value ? show(tooltipText(value), event.clientX, event.clientY) : hide()),
  });
  place.querySelector("svg").setAttribute("aria-hidden", "true");
  place.dataset.drawn = "";
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
