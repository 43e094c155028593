// One board: pieces, the last move, and, for the arbiter, what is in hand, touched, owed or out of place.
// No mark means anything by its colour alone: each has a shape of its own.

import { h, say } from "./dom.js";

const FILES = "abcdefgh";

function place(element, square) {
  element.style.setProperty("--file", FILES.indexOf(square[0]));
  element.style.setProperty("--rank", 8 - Number(square[1]));
  return element;
}

/** The pieces of a FEN's first field: square to letter. */
export function pieces(fen) {
  const found = new Map();
  fen.split("/").forEach((row, i) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) file += Number(letter);
      else found.set(FILES[file++] + (8 - i), letter);
    }
  });
  return found;
}

/** A board that draws itself anew when told to; only what changed is touched. */
export class Board {
  constructor() {
    this.pieces = h("div.pieces");
    this.marks = h("div.marks");
    this.element = h("div.board", { role: "img" }, this.marks, this.pieces, coordinates("coordinates"), coordinates("coordinates.turned"));
    this.shown = new Map();
    this.before = "";
  }

  /** `shown` is the part "board", or what stood where as `pieces`; `label` says the same to who cannot see it. */
  show(shown, label) {
    this.element.setAttribute("aria-label", label);
    const lifted = new Set(shown.lifted);
    this.stand(shown.pieces ?? pieces(shown.fen), lifted);
    const marks = [
      ...(shown.last ? squaresOf(shown.last).map((square) => [square, "last"]) : []),
      ...(shown.check ? [[shown.check, "check"]] : []),
      ...(shown.displaced?.length ? [] : (shown.targets ?? [])).map((square) => [square, "target"]),
      ...[...lifted].map((square) => [square, "lifted"]),
      ...(shown.extra ?? []).map((square) => [square, "extra"]),
      ...(shown.displaced ?? []).map((square) => [square, "astray"]),
    ];
    const touched = (shown.touched ?? []).map((touch) => [touch.square, "touched", String(touch.order)]);
    const now = JSON.stringify([marks, touched]);
    if (now === this.before) return;
    this.before = now;
    this.marks.replaceChildren(
      ...[...marks, ...touched].map(([square, kind, sign = ""]) => place(h(`span.mark.${kind}`, {}, sign), square)),
    );
  }

  stand(wanted, lifted) {
    for (const [square, element] of this.shown) {
      if (wanted.get(square) === element.dataset.piece) continue;
      element.remove();
      this.shown.delete(square);
    }
    for (const [square, letter] of wanted) {
      let element = this.shown.get(square);
      if (!element) {
        element = place(h("span.piece", { "data-piece": letter }), square);
        this.pieces.append(element);
        this.shown.set(square, element);
      }
      element.classList.toggle("in-hand", lifted.has(square));
    }
  }
}

function squaresOf(uci) {
  return uci.includes("@") ? [uci.slice(2, 4)] : [uci.slice(0, 2), uci.slice(2, 4)];
}

function coordinates(kind) {
  const [bottom, left] = kind.endsWith("turned") ? ["8", "h"] : ["1", "a"];
  return h(
    `div.${kind}`,
    { "aria-hidden": "true" },
    [...FILES].map((file) => place(h("span.file", {}, file), file + bottom)),
    [1, 2, 3, 4, 5, 6, 7, 8].map((rank) => place(h("span.rank", {}, String(rank)), left + rank)),
  );
}

/** What is in stock: each kind once, with how many there are. */
export function stock(letters) {
  const pieces = letters ? kinds(letters) : [h("span.none", {}, say("empty-stock"))];
  return [h("span.what", {}, say("stock")), ...pieces];
}

/** What was taken, a piece each. */
export function taken(letters) {
  return [h("span.unseen", {}, `${say("taken")} ${[...letters].join(" ")}`), ...[...letters].map((letter) => h("span.piece.taken", { "data-piece": letter }))];
}

function kinds(letters) {
  const counts = new Map();
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts].map(([letter, count]) =>
    h("span.stocked", {}, h("span.piece", { "data-piece": letter }), h("span", {}, `×${count}`)),
  );
}
