// Functions that make elements. Texts are inserted as text, so nothing from the bank is read as markup.

export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") element.className = value;
    else if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

export const byId = (id) => document.getElementById(id);

export function show(target, ...children) {
  target.replaceChildren(...children.flat().filter((child) => child));
}

// Returns a label and the field below it.
let numbered = 0;
export function field(words, control, hint = null) {
  control.id ||= `field-${(numbered += 1)}`;
  return [el("label", { htmlFor: control.id }, words, hint && el("small", {}, ` ${hint}`)), control];
}

// Announces an event to screen readers.
export function say(words) {
  byId("announcement").textContent = "";
  setTimeout(() => { byId("announcement").textContent = words; }, 50);
}
