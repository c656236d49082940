// Elements made from values. Text goes in as text: nothing from the bank is ever read as markup.

export function el(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") made.className = value;
    else if (name === "on") for (const [event, deed] of Object.entries(value)) made.addEventListener(event, deed);
    else if (name in made && !name.includes("-")) made[name] = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) made.append(child);
  }
  return made;
}

export const byId = (id) => document.getElementById(id);

export function show(target, ...children) {
  target.replaceChildren(...children.flat().filter((child) => child));
}

// A label with its field under it.
let numbered = 0;
export function field(words, control, hint = null) {
  control.id ||= `field-${(numbered += 1)}`;
  return [el("label", { htmlFor: control.id }, words, hint && el("small", {}, ` ${hint}`)), control];
}

// Tells those who do not see the page what has happened.
export function say(words) {
  byId("said").textContent = "";
  setTimeout(() => { byId("said").textContent = words; }, 50);
}
