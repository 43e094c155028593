// What the arbiter saw and no sensor sees: whose doing it was, and the sentence, with its clause, that goes on record.

import { dialogue, ofGame } from "./dialogue.js";
import { h, say, whole } from "./dom.js";
import { remarks } from "./remarks.js";

/** Of which moves that may be said; of any, where nothing stands here. */
const OF_MOVES = { "castling-order": (san) => san.startsWith("O-O"), "promotion-changed": (san) => san.includes("=") };

/** What a player may claim by word of mouth. A draw at one board he may claim with a move that he has written down. */
const DRAWN = ["threefold", "fifty-moves"];
const CLAIMS = ["flag", "touch-move", "illegal-move"];

/** Those which, where they are right, end the game at once: about these, too, the arbiter is asked once more. */
const MAY_END = [...DRAWN, "fourfold", "flag"];

/** What else a player says: of a draw, or that he resigns. What ends the game is asked about once more. */
const SAYS = { offer: { do: "draw", act: "offer" }, accept: { do: "draw", act: "accept" }, decline: { do: "draw", act: "decline" }, resign: { do: "resign" } };
const ENDING = ["accept", "resign"];

/** Of a move not yet pressed these are seen only from the press on. */
const OF_HANDS = ["two-hands", "illegal-move"];

/** Asks what was seen on a board, and reports it. */
export function report(number, parts, know, given) {
  const rule = ofGame(parts.head.game, given);
  const choices = h("div.choices");
  const conduct = h("div.choices");
  const arrival = h("details");
  const claims = h("div.choices");
  const written = parts.head.match ? null : h("select", { id: "written" }, h("option", { value: "" }, say("none-written")));
  const draws = parts.head.match ? ["fourfold"] : DRAWN;
  const said = remarks();
  const show = (side) => {
    const all = reports(parts, side);
    choices.replaceChildren(...all.filter((each) => each.of !== "conduct").map(choice));
    arrival.hidden = Boolean(parts.board.did[side]); // who has moved was there
    const acts = arrival.hidden ? [] : ["arrived", "absent"].map((act) => coming(act, side));
    arrival.replaceChildren(h("summary", {}, say("arrival")), h("div.choices", {}, acts));
    const claimable = [...draws, ...CLAIMS, ...(parts.board.quickplay ?? [])].filter((of) => of !== "flag" || parts.clock).map((of) => claim(of, side));
    claims.replaceChildren(...claimable, ...Object.keys(SAYS).filter((what) => answerable(what, side)).map((what) => spoken(what, side)));
    conduct.replaceChildren(...all.filter((each) => each.of === "conduct").map(choice), coming("warn", side));
  };
  const choice = ({ text, of, ...what }) => h("button", { type: "button", "data-report": what.kind, onclick: () => give(what) }, whole(text));
  const claim = (of, side) =>
    h("button", { type: "button", "data-claim": of, onclick: () => claimed(of, side) }, sentence("claim", side, "", say(`claim-${of}`)));
  const claimed = (of, side) => {
    dialog.close();
    const increment = of === "increment" || null; // that, too, is claimed in the quickplay finish
    const ruling = { do: "claim", of: increment ? "quickplay" : of, side, increment, move: (DRAWN.includes(of) && written?.value) || null };
    const name = sentence("claim", side, "", say(`claim-${of}`));
    if (MAY_END.includes(of)) dialogue(number, name, [h("p", {}, say("ends-if-right"))], [[name, "primary", () => ruling]], rule);
    else rule(number, ruling);
  };
  const answerable = (what, side) => !["accept", "decline"].includes(what) || parts.head.match || parts.board.offers?.some((each) => each.open && each.side !== side);
  const spoken = (what, side) => h("button", { type: "button", "data-said": what, onclick: () => says(what, side) }, sentence(what, side, ""));
  const says = (what, side) => {
    dialog.close();
    const ruling = { ...SAYS[what], side };
    const name = sentence(what, side, "");
    const ends = what === "resign" || !parts.head.match; // of a match all four have to accept
    if (ENDING.includes(what)) dialogue(number, name, ends ? [h("p", {}, say("ends-sure"))] : [], [[name, "primary", () => ruling]], rule);
    else rule(number, ruling, say("noted"));
  };
  const coming = (act, side) =>
    h("button", { type: "button", "data-report": act, onclick: () => [dialog.close(), rule(number, { do: act, side, ...said.read() }, say("noted"))] }, sentence(act, side, ""));
  const give = (what) => {
    if (what.kind === "other" && !said.read().text) return said.ask(); // it says what that was
    dialog.close();
    rule(number, { do: "report", ...what, ...said.read() }, OF_HANDS.includes(what.kind) ? say("reported") : ""); // the rest is seen at once
  };
  const { head, board } = parts;
  const who = (side) =>
    h(
      "label.option",
      {},
      h("input", { type: "radio", name: "who", value: side, checked: side === board.turn, autofocus: side === board.turn, onchange: () => show(side) }),
      h("span", {}, head[side] ? `${say(side)} · ${head[side]}` : say(side)),
    );
  show(board.turn);
  const content = [
    h("fieldset.who", {}, h("legend", {}, say("report-who")), who("white"), who("black")),
    said.element,
    choices,
    h("details", {}, h("summary", {}, say("conduct")), conduct),
    h("details", {}, h("summary", {}, say("claims")), written && [h("label", { for: "written" }, say("written-move")), written], claims),
    arrival,
  ];
  const dialog = dialogue(number, say("report"), content, [], rule);
  if (written) offer(written, number, parts, know);
}

/** The moves that may have been written down: those that are legal now. */
async function offer(written, number, parts, know) {
  const told = await know(number, "played", { number: parts.moves?.length ?? 0, moves: [] });
  written.append(...(told?.legal ?? []).map(({ uci, text }) => h("option", { value: uci }, text)));
}

/** What may be reported of a side as the game stands: a breach of a move only where there is such a move. */
function reports({ reports: known, board }, side) {
  const did = board.did[side];
  const may = ([kind, { of }]) => {
    if (kind === "two-hands") return did || (board.turn === side && board.touched.length);
    if (of === "move") return did && (OF_MOVES[kind]?.(did) ?? true);
    return of !== "stock" || board.stock?.[side];
  };
  return Object.entries(known).filter(may).flatMap(([kind, { of, clause }]) => {
    const text = sentence(kind, side, of === "beginning" ? ` (${clause})` : clause);
    if (kind === "mislaid-stock") {
      return [...new Set(board.stock[side])].map((piece) => ({ kind, side, text: `${text} – ${say(`piece-${piece}`)}`, piece: piece.toLowerCase() }));
    }
    if (of !== "beginning") return [{ kind, side, text, of }];
    const royal = say("king-and-queen", { of_side: say(`of-${side}`) }); // with them, the right to castle may be gone
    return [{ kind, text }, ...(kind === "wrong-array" ? [{ kind, side, text: `${text} – ${royal}` }] : [])];
  });
}

function sentence(kind, side, clause, what = "") {
  const name = say(`side-${side}`);
  const Side = name[0].toUpperCase() + name.slice(1);
  return say(`report-${kind}`, { Side, side: name, of_side: say(`of-${side}`), move: say("that-move"), squares: "", clause, what });
}
