
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
