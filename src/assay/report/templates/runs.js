
// The progress of a run that goes on: its figures are replaced as events arrive.
const { events } = JSON.parse(document.getElementById("data").textContent);
if (events) {
  const source = new EventSource(events);
  const state = document.querySelector("[data-following]");
  source.addEventListener("message", ({ data }) => {
    const { done, planned, texts } = JSON.parse(data);
    for (const place of document.querySelectorAll("[data-live]")) place.textContent = texts[place.dataset.live];
    const bar = document.querySelector("progress");
    if (bar && planned) [bar.max, bar.value] = [planned, done];
    state.textContent = "These figures are updated as the run goes on.";
  });
  source.addEventListener("end", () => {
    source.close();
    location.reload();
  });
  source.addEventListener("error", () => {
    state.textContent = source.readyState === EventSource.CLOSED
      ? "These figures are not updated any more: load the page again."
      : "The connection was lost; the page is trying again.";
  });
}
