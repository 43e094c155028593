// One board of the spectators' page: names, clocks, pieces, what was taken, the score. What is played is shown as it
// comes, until one steps back; the board can be turned, the game taken along, its address passed on.

import { Board, stock, taken } from "./board.js";
import { Face, shown as time } from "./clock.js";
import { h, say, text, whole } from "./dom.js";
import { Replay } from "./replay.js";
import { about, expected, numbered, player, position, Score, seenByBlack, title } from "./score.js";
import { share } from "./share.js";

const STEPS = { Home: () => 0, ArrowLeft: (ply) => ply - 1, ArrowRight: (ply) => ply + 1, End: () => Infinity };
const SIGNS = { Home: "|◀", ArrowLeft: "◀", ArrowRight: "▶", End: "▶|" };

export class Show {
  /** `moved`: called when another position is looked at. */
  constructor(number, moved) {
    this.number = number;
    this.moved = moved;
    this.at = null; // after how many moves it is looked at; null: as it stands
    this.turned = false;
    this.element = h("article.show", { "aria-label": say("board", { number }) });
  }

  /** What it is drawn with, made once it is. */
  make() {
    const { number } = this;
    this.heading = h("a", { href: `#${encodeURIComponent(number)}` });
    this.result = h("p.score-line");
    this.faces = { black: new Face("black"), white: new Face("white") };
    this.stock = { black: h("p.stock"), white: h("p.stock") };
    this.board = new Board();
    this.news = h("p.turn");
    this.note = h("p.note"); // as on the arbiter's page
    this.score = new Score((ply) => this.look(ply));
    const step = (key) => h("button.step", { type: "button", "aria-label": say(`step-${key}`), title: say(`step-${key}`), "data-step": key, onclick: () => this.key(key) }, SIGNS[key]);
    this.steps = Object.keys(STEPS).map(step);
    this.pgn = h("a.plain", { href: `/games/${encodeURIComponent(number)}.pgn` }, say("pgn"));
    this.element.append(
      h("header", {}, h("h2", {}, this.heading), this.result),
      h("div.at-board", {}, this.side("black"), this.board.element, this.side("white")),
      h(
        "div.beside",
        {},
        this.news,
        this.note,
        h("div.steps", {}, this.steps),
        this.score.element,
        h("div.take", {}, h("button.plain", { type: "button", "data-turn": "", onclick: () => this.turn() }, say("turn-board")), this.pgn, share(() => this.address)),
      ),
    );
  }

  side(name) {
    return h("div.side", { "data-side": name }, this.faces[name].element, this.stock[name]);
  }

  show(parts, small) {
    this.parts = parts;
    this.small = small;
    if (!this.asleep) this.draw();
  }

  /** All of it, as it stands. */
  draw() {
    if (!this.parts) return;
    if (!this.heading) this.make();
    const { head, moves } = this.parts;
    this.replay = new Replay(this.parts);
    if (this.at !== null && this.at >= (moves?.length ?? 0)) this.at = null;
    text(this.heading, title(head));
    this.heading.dataset.number = head.number;
    const { score, match_result: match } = this.parts.board ?? {};
    text(this.result, [SCORES[score] ?? score, this.small ? "" : match].filter(Boolean).join(" · "));
    const gone = !moves && "last" in head; // the game before can still be had
    const round = gone ? head.last : head.round;
    text(this.pgn, say(gone ? "pgn-last" : "pgn"));
    this.pgn.hidden = !(moves || gone) || Boolean(head.match); // what stands in stock is in no PGN
    this.pgn.download = `${[round && `round-${round}`, `board-${head.number}`].filter(Boolean).join("-")}.pgn`;
    if (!this.small) this.score.show(moves, this.replay.whole);
    this.drawPosition();
  }

  /** The position that is looked at. */
  drawPosition() {
    const { head, board, clock, moves, control } = this.parts;
    const past = this.at !== null;
    const ply = this.at ?? moves?.length ?? 0;
    const clocks = past ? this.replay.clocks(ply, this.first) : clock ?? control;
    this.element.classList.toggle("seen-by-black", seenByBlack(head) !== this.turned);
    this.element.classList.toggle("past", past);
    for (const side of ["white", "black"]) this.faces[side].show(player(head, side), clocks, this.small ? {} : about(head, side));
    if (!this.small) this.score.mark(ply);
    text(this.news, whole(this.told(ply, past)));
    text(this.note, this.small ? "" : whole(control?.text ?? board?.match_goes_on ?? ""));
    for (const [i, each] of this.steps.entries()) each.disabled = !this.replay.whole || (i < 2 ? ply === 0 : !past);
    if (board) {
      const pieces = past ? this.replay.position(ply) : null;
      this.board.show(past ? { pieces, last: this.replay.squares(ply) } : board, past ? say("of-board", { number: head.number, what: this.news.textContent }) : position(this.parts));
      this.showTaken(pieces);
    } else {
      this.board.show({ fen: head.array ?? "" }, position(this.parts));
      for (const side of ["white", "black"]) this.stock[side].hidden = true;
    }
    this.tick(this.late);
  }

  showTaken(pieces) {
    const { board } = this.parts;
    const lost = !board.stock && this.parts.start && !this.small ? this.replay.taken(pieces ?? this.replay.position(this.replay.line.length)) : null;
    for (const side of ["white", "black"]) {
      this.stock[side].hidden = !board.stock && !lost?.[side];
      if (board.stock && pieces) this.stock[side].hidden = true; // what was in stock then nobody knows here
      else if (board.stock) this.stock[side].replaceChildren(...stock(board.stock[side]));
      else if (lost) this.stock[side].replaceChildren(...taken(lost[side]));
    }
  }

  /** How it stands, in a word, and whether moves are held back; of a board that is small which move was the last. */
  told(ply, past) {
    const { head, board, moves, away } = this.parts;
    if (past) return ply ? this.move(ply) : say("beginning");
    if (away) return say("away");
    if (!board) return [this.small || head.idle ? expected(head) : say("set-up"), this.parts.begins].filter(Boolean).join(" ");
    const held = board.held ? (board.held === 1 ? say("held-one") : say("held-more", { number: board.held })) : "";
    return [this.state(board, moves), held].filter(Boolean).join(" · ");
  }

  /** What it says of a game that is still to begin. */
  get waits() {
    const { head, board, away } = this.parts;
    return board || away || head.idle ? "" : this.told(0, false);
  }

  state(board, moves) {
    if (board.over) return board.result;
    if (board.stands) return say("score-stands");
    if (this.small) return moves?.length ? numbered(moves, moves.length - 1) : say(`${board.turn}-to-move`);
    return [say(`${board.turn}-to-move`), moves?.length && this.move(moves.length)].filter(Boolean).join(" · ");
  }

  /** A move with its number, and the time it took. */
  move(ply) {
    const spent = this.replay.spent(ply);
    const move = numbered(this.parts.moves, ply - 1);
    return spent === null ? move : say("spent-on", { move, time: time(Math.max(1000 * spent, 0), false) });
  }

  /** Who made the first move: of a game from a position of its own that may be Black. */
  get first() {
    const { board, moves } = this.parts;
    const even = (moves?.length ?? 0) % 2 === 0;
    return even ? board.turn : board.turn === "white" ? "black" : "white";
  }

  /** A key that steps through the game; whether it does so. */
  key(key) {
    if (!STEPS[key] || !this.replay?.whole) return false;
    this.look(STEPS[key](this.at ?? this.replay.line.length));
    return true;
  }

  /** Looks at the position after so many moves; after the last, at the game as it goes on. */
  look(ply) {
    const last = this.replay.line.length;
    this.at = ply >= last || !this.replay.whole ? null : Math.max(0, ply);
    this.drawPosition();
    this.moved(this);
  }

  turn() {
    this.turned = !this.turned;
    this.drawPosition();
  }

  /** What stands after "#" for the position that is looked at. */
  get place() {
    return `#${encodeURIComponent(this.number)}${this.at === null ? "" : `/${this.at}`}`;
  }

  get address() {
    return new URL(`/${this.place}`, location).href;
  }

  tick(late) {
    this.late = late ?? 0;
    if (this.asleep || !this.heading) return;
    this.faces.white.tick(this.late);
    this.faces.black.tick(this.late);
  }
}

const SCORES = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½", "+-": "+\u00a0–", "-+": "–\u00a0+", "--": "–\u00a0–", "0-0": "0–0", "1/2-0": "½–0", "0-1/2": "0–½" };
