
// The frontier's charts bring their own data; what they tell on hover is a list of names and values.
function words(value) {
  if (typeof value !== "object") return String(value);
  return Object.entries(value).filter(([, told]) => told !== "" && told !== "null" && told !== null)
    .map(([name, told], place) => (place === 0 ? String(told) : `${name}: ${told}`)).join("\n");
}

async function plot(place) {
  await window.vegaEmbed(place, charts[place.dataset.chart], {
    ast: true, actions: false, renderer: "svg", defaultStyle: false, mode: "vega-lite",
    tooltip: (_, event, item, value) => (value ? show(words(value), event.clientX, event.clientY) : hide()),
  });
  place.dataset.drawn = "";
}
for (const place of document.querySelectorAll(".plot")) plot(place);
