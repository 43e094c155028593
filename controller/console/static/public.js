// The spectators' page: boards, moves, clocks, as late as the event says. Of many boards each is small until it is chosen;
// which one is in full stands after "#".

import { Board, stock } from "./board.js";
import { Face, run } from "./clock.js";
import { arrange, h, say, text, whole } from "./dom.js";
import { Find } from "./find.js";
import { natural, numbered, player, players, position, Score, seenByBlack, title } from "./score.js";
import { follow } from "./stream.js";

const FEW = 4; // boards that are all shown in full

const main = document.getElementById("main");
const link = document.getElementById("link");
const shown = new Map();
const list = h("div.boards");
const find = new Find(route);
const back = h("a.back", { href: "#" }, say("all-boards"));

class Show {
  constructor(number) {
    this.heading = h("a", { href: `#${encodeURIComponent(number)}` });
    this.names = h("p.players");
    this.faces = { black: new Face("black"), white: new Face("white") };
    this.stock = { black: h("p.stock"), white: h("p.stock") };
    this.board = new Board();
    this.news = h("p.turn");
    this.score = new Score();
    this.element = h(
      "article.show",
      { "aria-label": say("board", { number }) },
      h("header", {}, h("h2", {}, this.heading), this.names),
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
      this.faces[side].show(player(head, side), clock);
      this.stock[side].hidden = !board?.stock;
      if (board?.stock) this.stock[side].replaceChildren(...stock(board.stock[side]));
    }
    this.score.show(moves);
    text(this.news, whole(parts.away ? say("away") : said(board, moves)));
    if (board) this.board.show(board, position(parts));
  }

  tick(late) {
    this.faces.white.tick(late);
    this.faces.black.tick(late);
  }
}

/** The same, and whether moves are held back. */
function said(board, moves) {
  const held = board?.held ? (board.held === 1 ? say("held-one") : say("held-more", { number: board.held })) : "";
  return [told(board, moves), held].filter(Boolean).join(" · ");
}

/** How it stands, in a word; of a board that is small, which move was the last. */
function told(board, moves) {
  if (!board) return say("set-up");
  if (board.over) return board.result;
  if (board.stands) return say("score-stands");
  return small() && moves?.length ? numbered(moves, moves.length - 1) : say(`${board.turn}-to-move`);
}

const { boards, clock } = follow("/events", { told: take, heard });

function take(changed, anew) {
  for (const [number, parts] of changed) {
    const board = boards.get(number);
    if (!board.head) continue;
    if (!shown.has(number)) shown.set(number, new Show(number));
    shown.get(number).show(board);
    if (parts.moves?.length && !anew && !small()) text(document.getElementById("say"), say("of-board", { number: board.head.number, what: numbered(board.moves, board.moves.length - 1) }));
  }
  for (const number of shown.keys()) if (!boards.has(number)) shown.delete(number);
  route();
}

/** The boards in full: the one asked for, in a match with its partner; else all, if these are few. */
function chosen() {
  const numbers = [...shown.keys()].sort(natural);
  const asked = decodeURIComponent(location.hash.slice(1));
  if (!shown.has(asked)) return numbers;
  const match = boards.get(asked).head.match?.id;
  return match ? numbers.filter((number) => boards.get(number).head.match?.id === match) : [asked];
}

function small() {
  return chosen().length > FEW;
}

function route() {
  if (!shown.size) return;
  const wanted = chosen();
  const before = list.className;
  arrange(list, wanted.map((number) => shown.get(number).element));
  for (const kind of ["one", "two", "many"]) list.classList.toggle(kind, { one: 1, two: 2 }[kind] === wanted.length || (kind === "many" && small()));
  if (list.className !== before) for (const number of wanted) shown.get(number).show(boards.get(number));
  find.element.hidden = !small();
  for (const number of wanted) shown.get(number).element.hidden = !find.wants(boards.get(number).head);
  arrange(main, [...(wanted.length < shown.size ? [back] : []), find.element, list]);
  tick();
}

function heard(yes) {
  link.classList.toggle("lost", !yes);
  text(link, say(yes ? "heard" : "lost"));
}

function tick() {
  for (const show of shown.values()) show.tick(clock.late);
}

addEventListener("hashchange", () => {
  route();
  scrollTo(0, 0);
});

const delay = document.body.dataset.delay;
const note = document.getElementById("delay");
note.hidden = !delay;
text(note, delay === "game-end" ? say("delayed-end") : say("delayed", { minutes: delay }));
run(tick);
