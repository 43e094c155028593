// Making elements, and the words of the page.

const words = JSON.parse(document.getElementById("words").textContent);

/** The label of that id, its placeholders filled. */
export function say(key, fields = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (all, name) => fields[name] ?? all);
}

/** An element: h("p.quiet", {id: "x", onclick: f}, "text", child, [children]). */
export function h(what, attributes = {}, ...children) {
  const [name, ...classes] = what.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  return fill(set(element, attributes), ...children);
}

const SVG = "http://www.w3.org/2000/svg";

/** The same for a drawing. */
export function s(name, attributes = {}, ...children) {
  return fill(set(document.createElementNS(SVG, name), attributes), ...children);
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  return element;
}

function fill(element, ...children) {
  element.append(...children.flat(2).filter((child) => child != null && child !== false));
  return element;
}

/** Changes a text only if it is another: screen readers and layout are left in peace. */
export function text(element, value) {
  if (element.textContent !== value) element.textContent = value;
}

/** Says whether the server is heard. */
export function heard(yes) {
  const link = document.getElementById("link");
  link.classList.toggle("lost", !yes);
  text(link, say(yes ? "heard" : "lost"));
}

/** A number keeps its unit, a clause its number, and a forfeit its two signs, on one line. */
export function whole(said) {
  return said.replace(/(\d) (?=(s|min)\b)/g, "$1\u00a0").replace(/([+–]) (?=[+–])/g, "$1\u00a0").replace(/(article|appendi\S+|guideline) (?=[\dA-Z])/gi, "$1\u00a0");
}

/** The time of day of a moment in ms since 1970, as the clock on the wall shows it. */
export function daytime(ms) {
  return new Date(ms).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
}

/** When that was: by the clock on the wall, where that is known, and since the game began, as the evidence counts. */
export function moment(wall, at) {
  return whole(wall ? `${daytime(wall)} · ${at}` : at);
}

/** Puts these elements into a parent in this order, moving only what is out of place. */
export function arrange(parent, elements) {
  elements.forEach((element, i) => {
    if (parent.children[i] !== element) parent.insertBefore(element, parent.children[i] ?? null);
  });
  while (parent.children.length > elements.length) parent.lastElementChild.remove();
}
