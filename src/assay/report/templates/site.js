
// Sortable tables, keys, and links from the charts to a day, on the pages of a site.
for (const table of document.querySelectorAll("table.sortable")) {
  [...table.tHead.rows[0].cells].forEach((header, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => sortBy(table, column, header));
  });
}

function sortBy(table, column, header) {
  const down = header.ariaSort === "ascending";
  for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", down ? "descending" : "ascending");
  const value = ({ cells }) => {
    const given = cells[column].dataset.v;
    if (given === undefined) return cells[column].textContent.trim();
    return given === "" ? null : Number(given);
  };
  const rows = [...table.tBodies[0].rows].map((row) => [value(row), row]);
  rows.sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    const order = typeof a === "number" ? a - b : String(a).localeCompare(String(b));
    return down ? -order : order;
  });
  table.tBodies[0].append(...rows.map(([, row]) => row));
}

// j and k go to the next and previous row or section, Enter opens the row's first link, n and p turn pages.
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  const rows = [...document.querySelectorAll("[data-row]")];
  const here = rows.findIndex((row) => row.getAttribute("aria-selected") === "true");
  const step = { j: here + 1, k: here - 1 }[event.key];
  if (step !== undefined && rows[step]) {
    rows[here]?.setAttribute("aria-selected", "false");
    rows[step].setAttribute("aria-selected", "true");
    rows[step].scrollIntoView({ block: "nearest" });
    rows[step].querySelector("a")?.focus({ preventScroll: true });
  }
  const turn = { n: "next", p: "prev" }[event.key];
  if (turn) document.querySelector(`a[rel="${turn}"]`)?.click();
});

// An address with the anchor of a folded answer opens it.
const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
if (target?.matches?.("details")) target.open = true;
