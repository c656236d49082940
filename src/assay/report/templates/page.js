// The tooltip of all pages. Details are opened for printing.
const tip = document.getElementById("tip");

function show(text, x, y) {
  tip.textContent = text;
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(x + 12, innerWidth - width - 8))}px`;
  tip.style.top = `${y + 18 + height > innerHeight ? Math.max(8, y - height - 10) : y + 18}px`;
}

function hide() {
  tip.hidden = true;
}

addEventListener("keydown", (event) => event.key === "Escape" && hide());
addEventListener("scroll", hide, { passive: true });
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});

// A search field hides the rows of a table without its text.
for (const field of document.querySelectorAll("[data-filter]")) {
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase();
    for (const row of document.querySelectorAll(`${field.dataset.filter} tbody tr`)) {
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
    }
  });
}
