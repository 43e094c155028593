// What the arbiter saw and no sensor sees: whose doing it was, and the sentence, with its clause, that goes on record.

import { dialogue } from "./dialogue.js";
import { h, say, whole } from "./dom.js";

const OF_MOVE = { "touch-move": () => true, "released-move": () => true, "castling-order": (san) => san.startsWith("O-O"), "promotion-changed": (san) => san.includes("=") };
const OF_STOCK = ["hidden-stock", "mislaid-stock"];
const OF_BEGINNING = ["wrong-array", "colours-reversed"];
const KINDS = ["two-hands", ...Object.keys(OF_MOVE), "out-of-turn", "adjust-out-of-turn", "clock-misuse", ...OF_STOCK, ...OF_BEGINNING];

/** Asks what was seen on a board, and reports it. */
export function report(number, parts, rule) {
  const choices = h("div.choices");
  const show = (side) => choices.replaceChildren(...reports(parts, side).map(choice));
  const choice = ({ text, ...what }) => h("button", { type: "button", "data-report": what.kind, onclick: () => give(what) }, whole(text));
  const give = (what) => {
    dialog.close();
    rule(number, { do: "report", ...what }, say("reported"));
  };
  const { head, board } = parts;
  const who = (side) =>
    h(
      "label.option",
      {},
      h("input", { type: "radio", name: "who", value: side, checked: side === board.turn, onchange: () => show(side) }),
      h("span", {}, head[side] ? `${say(side)} · ${head[side]}` : say(side)),
    );
  show(board.turn);
  const dialog = dialogue(number, say("report"), [h("fieldset.who", {}, h("legend", {}, say("report-who")), who("white"), who("black")), choices], [], rule);
}

/** What may be reported of a side as the game stands: a breach of a move only where there is such a move. */
function reports({ reports: clauses, board }, side) {
  const did = board.did[side];
  const may = (kind) => {
    if (!clauses[kind]) return false;
    if (kind === "two-hands") return did || (board.turn === side && board.touched.length);
    if (kind in OF_MOVE) return did && OF_MOVE[kind](did);
    return kind !== "hidden-stock" || board.stock?.[side];
  };
  return KINDS.filter(may).flatMap((kind) => {
    const text = sentence(kind, side, clauses[kind]);
    if (kind === "mislaid-stock") {
      return [...new Set(board.stock?.[side] ?? "")].map((man) => ({ kind, side, text: `${text} – ${say(`man-${man}`)}`, piece: man.toLowerCase() }));
    }
    if (!OF_BEGINNING.includes(kind)) return [{ kind, side, text }];
    const royal = say("king-and-queen", { of_side: say(`of-${side}`) }); // with them, the right to castle may be gone
    return [{ kind, text }, ...(kind === "wrong-array" ? [{ kind, side, text: `${text} – ${royal}` }] : [])];
  });
}

function sentence(kind, side, clause) {
  const name = say(`side-${side}`);
  const Side = name[0].toUpperCase() + name.slice(1);
  const beginning = OF_BEGINNING.includes(kind);
  return say(`report-${kind}`, { Side, move: say("that-move"), squares: "", clause: beginning ? ` (${clause})` : clause });
}
