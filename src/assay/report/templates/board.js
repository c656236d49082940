const charts = JSON.parse(document.getElementById("data").textContent);

async function draw(place) {
  const { spec, rows, lines } = charts[place.dataset.chart];
  const drawn = structuredClone(spec);
  drawn.config.axisY = { ...drawn.config.axisY, labelLimit: Math.min(260, place.clientWidth * 0.36) };
  await window.vegaEmbed(place, { ...drawn, datasets: { rows, lines } }, {
    ast: true, actions: false, renderer: "svg", defaultStyle: false, mode: "vega-lite",
    tooltip: (_, event, item, value) => (value ? show(String(value), event.clientX, event.clientY) : hide()),
  });
  place.querySelector("svg").setAttribute("aria-hidden", "true");
  place.dataset.drawn = "";
}
for (const place of document.querySelectorAll(".chart")) draw(place);

function sort(table, column, header) {
  const down = header.ariaSort ? header.ariaSort === "ascending" : column > 1;
  for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", down ? "descending" : "ascending");
  const value = (row) => {
    const cell = row.cells[column];
    if (cell.tagName === "TH") return cell.dataset.v ?? cell.textContent;
    return cell.dataset.v === undefined ? null : Number(cell.dataset.v);
  };
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [value(row), row]);
  rows.sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    const order = typeof a === "string" ? a.localeCompare(b) : a - b;
    return down ? -order : order;
  });
  body.append(...rows.map(([, row]) => row));
}

for (const table of document.querySelectorAll("table.sortable")) {
  const headers = [...table.tHead.rows].at(-1).cells;
  [...headers].forEach((header, column) => {
    if (header.matches(".bars")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => sort(table, column, header));
  });
}

// Titles become tooltips that appear at once, for pointer and keyboard.
for (const cell of document.querySelectorAll("table [title]")) {
  cell.dataset.tip = cell.title;
  cell.removeAttribute("title");
}
const tipped = (event) => event.target.closest?.("[data-tip]");
document.addEventListener("pointerover", (event) => {
  const cell = tipped(event);
  if (cell) show(cell.dataset.tip, event.clientX, event.clientY);
});
document.addEventListener("pointerout", (event) => tipped(event) && hide());
document.addEventListener("focusin", (event) => {
  const cell = tipped(event);
  if (!cell) return;
  const box = cell.getBoundingClientRect();
  show(cell.dataset.tip, box.right - 12, box.bottom - 12);
});
document.addEventListener("focusout", (event) => tipped(event) && hide());

for (const table of document.querySelectorAll("table.matrix")) {
  const rows = [...table.tBodies].flatMap((body) => [...body.rows])
    .map((row) => [...row.cells].filter((cell) => cell.matches("td[data-tip]")))
    .filter((cells) => cells.length > 0);
  for (const cells of rows) {
    for (const cell of cells) {
      cell.tabIndex = -1;
      cell.setAttribute("aria-label", cell.dataset.tip);
    }
  }
  if (rows.length) rows[0][0].tabIndex = 0;
  table.addEventListener("keydown", (event) => {
    const down = rows.findIndex((cells) => cells.includes(document.activeElement));
    if (down < 0) return;
    const along = rows[down].indexOf(document.activeElement);
    const [y, x] = {
      ArrowLeft: [down, along - 1], ArrowRight: [down, along + 1], ArrowUp: [down - 1, along],
      ArrowDown: [down + 1, along], Home: [down, 0], End: [down, rows[down].length - 1],
    }[event.key] ?? [];
    const next = rows[y]?.[x];
    if (!next) return;
    event.preventDefault();
    document.activeElement.tabIndex = -1;
    next.tabIndex = 0;
    next.focus({ preventScroll: false });
    const box = next.getBoundingClientRect();
    show(next.dataset.tip, box.right - 12, box.bottom - 12);
  });
}
