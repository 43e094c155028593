// Many boards on one page: a tile each, the one that needs attention first.

import { Board } from "./board.js";
import { Face } from "./clock.js";
import { arrange, h, say, text, whole } from "./dom.js";
import { rules, sayOf } from "./may.js";
import { expected, natural, numbered, player, position, title } from "./score.js";

const FEW = 12; // boards that may be drawn larger

export class Tile {
  constructor(number) {
    this.number = number;
    this.link = h(`a.tile${rules(number) ? "" : ".theirs"}`, { href: `#${encodeURIComponent(number)}` });
    this.element = h("li", {}, this.link);
    this.attention = 0;
    this.faulty = false;
    this.since = 0; // by the clock on the wall: boards of other daemons count their records for themselves
  }

  /** What it is drawn with, made once it is. */
  make() {
    this.heading = h("h2");
    this.news = h("p.news");
    this.faces = { black: new Face("black"), white: new Face("white") };
    this.board = new Board();
    const { black, white } = this.faces;
    this.link.append(h("header", {}, this.heading), black.element, this.board.element, white.element, this.news);
  }

  show(parts) {
    const { board } = parts;
    this.parts = parts;
    const case_ = urgent(parts);
    const trouble = wrong(parts);
    const attention = parts.away ? 2 : Math.max(board?.attention ?? 0, trouble ? 1 : 0);
    this.attention = rules(this.number) ? attention : Math.min(attention, 1); // another arbiter is called
    this.since = case_?.wall ?? board?.called_wall ?? 0;
    this.link.dataset.attention = attention;
    this.faulty = Boolean(trouble);
    this.link.classList.toggle("trouble", this.faulty);
    this.said = this.told(parts, case_, trouble, parts.moves);
    this.waits = board || parts.away || case_ || trouble || parts.head.idle ? "" : this.said; // what it says of a game that is still to begin
    if (!this.asleep) this.draw();
  }

  /** All of it, as it stands. */
  draw() {
    if (!this.parts) return;
    if (!this.heading) this.make();
    const { head, board, clock, control } = this.parts;
    text(this.heading, title(head));
    this.heading.dataset.number = head.number;
    for (const side of ["white", "black"]) this.faces[side].show(player(head, side), clock ?? control);
    const shown = board ? { fen: board.fen, last: board.last, displaced: board.displaced } : { fen: head.array ?? "" };
    this.board.show(shown, position(this.parts));
    text(this.news, whole(this.said));
  }

  told(parts, case_, trouble, moves) {
    const { board } = parts;
    if (parts.away) return say("away");
    if (case_) return say("case", { state: sayOf(this.number, `state-${case_.state}`), what: case_.what[0] });
    if (board?.called && !board.over) return sayOf(this.number, "called", { side: say(board.called) });
    if (trouble) return trouble;
    if (!board) return [expected(parts.head), parts.begins].filter(Boolean).join(" ");
    if (board.over) return [board.result, parts.begins].filter(Boolean).join(". ");
    if (board.stopped) return say("clocks-stand");
    return moves?.length ? numbered(moves, moves.length - 1) : say("no-moves");
  }

  tick(late) {
    if (this.asleep || !this.heading) return;
    this.faces.white.tick(late);
    this.faces.black.tick(late);
  }
}

/** The case that a board is to be looked at for: one that awaits a ruling before one that is only told. */
export function urgent(parts) {
  const cases = parts.cases ?? [];
  return cases.find((each) => each.answers) ?? cases.find((each) => ["board", "times", "told"].includes(each.state));
}

/** What is wrong with the equipment of a board itself; that its pieces are still to be set up is none of that. */
function wrong({ notices = [] }) {
  return notices.find((each) => !each.all && !each.source.startsWith("start"))?.what;
}

/** Puts the tiles into a list: who needs the arbiter most comes first, among these who has waited longest; then by number. */
export function sort(list, tiles) {
  const order = [...tiles].sort(
    (a, b) => b.attention - a.attention || (a.attention > 1 && a.since - b.since) || natural(a.number, b.number),
  );
  arrange(list, order.map((tile) => tile.element));
  list.classList.toggle("few", order.length <= FEW);
}
