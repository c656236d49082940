
// The progress of a run that goes on: its figures are replaced as events arrive.
const { events } = JSON.parse(document.getElementById("data").textContent);
if (events) {
  const source = new EventSource(events);
  source.addEventListener("message", ({ data }) => {
    const now = JSON.parse(data);
    for (const place of document.querySelectorAll("[data-live]")) {
      const value = now[place.dataset.live];
      if (value !== null && value !== undefined) {
        place.textContent = place.dataset.live === "cost" ? `$${value.toFixed(4)}` : value.toLocaleString("en");
      }
    }
    const bar = document.querySelector("progress");
    if (bar && now.planned) {
      bar.max = now.planned;
      bar.value = now.done;
    }
    const errors = Object.entries(now.errors).map(([kind, n]) => `${kind}: ${n}`).join(", ");
    document.querySelector("[data-errors]").textContent = errors || "none";
  });
  source.addEventListener("end", () => {
    source.close();
    location.reload();
  });
}
