// The spectators' page: boards, moves, clocks, as late as the event says.

import { Board, stock } from "./board.js";
import { Face, run } from "./clock.js";
import { arrange, h, say, text } from "./dom.js";
import { natural, numbered, players, position, Score, seenByBlack, title } from "./score.js";
import { follow } from "./stream.js";

const main = document.getElementById("main");
const link = document.getElementById("link");
const shown = new Map();
const list = h("div.boards");

class Show {
  constructor(number) {
    this.heading = h("h2");
    this.names = h("p.players");
    this.faces = { black: new Face("black"), white: new Face("white") };
    this.stock = { black: h("p.stock"), white: h("p.stock") };
    this.board = new Board();
    this.news = h("p.turn");
    this.score = new Score();
    this.element = h(
      "article.show",
      { "aria-label": say("board", { number }) },
      h("header", {}, this.heading, this.names),
      h("div.at-board", {}, this.side("black"), this.board.element, this.side("white")),
      this.news,
      this.score.element,
    );
  }

  side(name) {
    return h("div.side", { "data-side": name }, this.faces[name].element, this.stock[name]);
  }

  show(parts) {
    const { head, board, clock, moves } = parts;
    text(this.heading, title(head));
    text(this.names, players(head));
    this.element.classList.toggle("seen-by-black", seenByBlack(head));
    for (const side of ["white", "black"]) {
      this.faces[side].show(head[side], clock);
      this.stock[side].hidden = !board?.stock;
      if (board?.stock) this.stock[side].replaceChildren(...stock(board.stock[side]));
    }
    this.score.show(moves);
    text(this.news, board ? (board.over ? board.result : say(`${board.turn}-to-move`)) : say("set-up"));
    if (board) this.board.show(board, position(parts));
  }

  tick(late) {
    this.faces.white.tick(late);
    this.faces.black.tick(late);
  }
}

const { boards, clock } = follow("/events", { told, heard });

function told(changed, anew) {
  for (const [number, parts] of changed) {
    const board = boards.get(number);
    if (!board.head) continue;
    if (!shown.has(number)) shown.set(number, new Show(number));
    shown.get(number).show(board);
    if (parts.moves?.length && !anew) text(document.getElementById("say"), say("of-board", { number: board.head.number, what: numbered(board.moves, board.moves.length - 1) }));
  }
  for (const number of shown.keys()) if (!boards.has(number)) shown.delete(number);
  if (!shown.size) return;
  arrange(list, [...shown.keys()].sort(natural).map((number) => shown.get(number).element));
  list.classList.toggle("one", shown.size === 1);
  if (main.firstElementChild !== list) main.replaceChildren(list);
  tick();
}

function heard(yes) {
  link.classList.toggle("lost", !yes);
  text(link, say(yes ? "heard" : "lost"));
}

function tick() {
  for (const show of shown.values()) show.tick(clock.late);
}

const delay = document.body.dataset.delay;
const note = document.getElementById("delay");
note.hidden = !delay;
text(note, delay === "game-end" ? say("delayed-end") : say("delayed", { minutes: delay }));
run(tick);
