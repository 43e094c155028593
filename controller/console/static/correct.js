// The record set right by hand: which move was another, or is missing, and what was played from there on.

import { dialogue, ofGame } from "./dialogue.js";
import { h, say } from "./dom.js";
import { numbered } from "./score.js";

const FEW = 12; // moves of the record that may be replaced at once
const NONE = "none"; // what is chosen where a move was not played, and none in its place

/** Asks what was played on a board; `know` brings what may have been, `rule` puts it into the record. */
export function correct(number, parts, know, rule) {
  const moves = parts.moves ?? [];
  const reason = h("input", { maxlength: 200, id: "why", autocomplete: "off" });
  const rows = h("div.choices");
  const place = h("select", { id: "which", onchange: () => begin() });
  const instead = h("select", { id: "instead", onchange: () => (chosen = true) });
  let ply = 0;
  let chosen = false; // in place of how many
  let turn = 0; // what was asked last: an answer to what came before is late
  place.append(
    ...moves.map((_, i) => h("option", { value: i }, numbered(moves, i))).reverse(),
    h("option", { value: moves.length }, say("missing-move")),
  );
  if (parts.board?.missing) place.value = moves.length;

  const given = () => [...rows.querySelectorAll("select")].map((each) => each.value).filter((uci) => uci && uci !== NONE);

  async function begin() {
    rows.replaceChildren();
    chosen = false;
    const first = Number(place.value);
    const fits = Math.min(FEW, moves.length - first);
    instead.replaceChildren(
      ...Array.from({ length: fits + 1 }, (_, i) =>
        h("option", { value: i }, i ? moves.slice(first, first + i).map((_, k) => numbered(moves, first + k)).join(" ") : say("nothing-replaced")),
      ),
    );
    instead.value = Math.min(1, fits);
    await more();
  }

  /** One more move may be put in, after those that are. */
  async function more() {
    const mine = ++turn;
    const told = await know(number, "played", { number: Number(place.value), moves: given() });
    if (!told || mine !== turn) return;
    if (!rows.children.length) ply = told.ply;
    const option = ({ uci, text }) => h("option", { value: uci }, text);
    const first = !rows.children.length;
    const row = h(
      "select",
      { "aria-label": say("played"), "data-played": rows.children.length, required: first, onchange: () => changed(row) },
      h("option", { value: "" }, say(first ? "choose-move" : "no-more-moves")),
      first && Number(place.value) < moves.length && h("option", { value: NONE }, say("none-played")),
      told.likely.length > 0 && h("optgroup", { label: say("may-have-been") }, told.likely.map(option)),
      h("optgroup", { label: say("legal-moves") }, told.legal.map(option)),
    );
    if (told.legal.length || first) rows.append(row);
  }

  function changed(row) {
    while (row.nextElementSibling) row.nextElementSibling.remove();
    if (!chosen) instead.value = Math.min(Math.max(given().length, 1), instead.options.length - 1);
    if (row.value && row.value !== NONE) more();
  }

  const ruling = () => {
    const put = given();
    const whole = Number(instead.value) === put.length || (Number(instead.value) === instead.options.length - 1 && put.length > Number(instead.value) && instead.options.length <= FEW);
    return { do: "correct", ply, moves: put, replaces: whole ? null : Number(instead.value), reason: reason.value.trim() || null };
  };
  dialogue(
    number,
    say("correct"),
    [
      h("p", {}, say("correct-sure")),
      h("label", { for: "which" }, say("which-move")),
      place,
      h("p.label", {}, say("played")),
      rows,
      h("label", { for: "instead" }, say("in-place-of")),
      instead,
      h("label", { for: "why" }, say("reason")),
      reason,
    ],
    [[say("apply"), "primary", ruling]],
    ofGame(parts.head.game, rule),
  );
  begin();
}
