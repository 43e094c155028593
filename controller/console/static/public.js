// The spectators' page: boards, moves, clocks, as late as the event says. Of many boards each is small until it is chosen;
// which one is in full stands after "#", and after how many of its moves one looks at it.

import { run } from "./clock.js";
import { arrange, h, heard, say, text } from "./dom.js";
import { among } from "./lazy.js";
import { alike, counted, Overview } from "./overview.js";
import { natural, numbered } from "./score.js";
import { Show } from "./show.js";
import { follow } from "./stream.js";

const FEW = 4; // boards that are all shown in full

const main = document.getElementById("main");
const shown = new Map();
const list = h("div.boards");
const overview = new Overview(route);
const back = h("a.back", { href: "#" }, say("all-boards"));
const round = h("a.plain.round", { href: "/games.pgn" }, say("pgn-round"));

const { boards, clock } = follow(document.body.dataset.events, { told: take, heard });

function take(changed, anew) {
  const known = [...changed.keys()].filter((number) => boards.get(number).head);
  for (const number of known) if (!shown.has(number)) shown.set(number, new Show(number, looked));
  const many = small();
  sleep();
  for (const number of known) {
    const { moves } = boards.get(number);
    shown.get(number).show(boards.get(number), many);
    if (changed.get(number).moves && !anew && !many) announce(moves.length ? say("of-board", { number, what: numbered(moves, moves.length - 1) }) : "");
  }
  for (const number of shown.keys()) if (!boards.has(number)) shown.delete(number);
  if (anew) find();
  route();
}

function announce(what) {
  text(document.getElementById("say"), what);
}

/** What stands after "#": a board, and after how many moves. */
function asked() {
  const [number, ply] = location.hash.slice(1).split("/");
  return { number: decodeURIComponent(number), ply: ply ? Number(ply) : null };
}

function all() {
  return [...shown.keys()].sort(natural);
}

/** The boards on which somebody plays this round; where nobody does, all. */
function played() {
  const some = all().filter((number) => !boards.get(number).head.idle);
  return some.length ? some : all();
}

/** The boards in full: the one asked for, in a match with its partner; else all, if these are few. */
function chosen() {
  const { number } = asked();
  if (!shown.has(number)) return played();
  const match = boards.get(number).head.match?.id;
  return match ? all().filter((each) => boards.get(each).head.match?.id === match) : [number];
}

function small() {
  return chosen().length > FEW;
}

/** Of very many boards those out of sight are not drawn. */
function sleep() {
  among([...shown.values()], small() ? [] : chosen().map((number) => shown.get(number)));
}

/** Looks at the position that the address names. */
function find() {
  const { number, ply } = asked();
  if (ply !== null && Number.isInteger(ply)) shown.get(number)?.look(ply);
}

/** Another position is looked at: the address names it, where there is one board. */
function looked(show) {
  if (chosen().length === 1) history.replaceState(null, "", played().length > 1 || show.at !== null ? show.place : location.pathname);
  announce(show.news.textContent);
}

function route() {
  if (!shown.size) return;
  const wanted = chosen();
  const before = list.className;
  const many = small();
  sleep();
  arrange(list, wanted.map((number) => shown.get(number).element));
  for (const kind of ["one", "two", "many"]) list.classList.toggle(kind, { one: 1, two: 2 }[kind] === wanted.length || (kind === "many" && many));
  list.classList.toggle("compact", many && overview.compact);
  if (list.className !== before) for (const number of wanted) shown.get(number).show(boards.get(number), many);
  for (const number of wanted) shown.get(number).element.hidden = many && !overview.wants(boards.get(number).head);
  overview.element.classList.toggle("bare", !many);
  const compact = many && overview.compact;
  const common = compact ? alike(wanted.map((number) => shown.get(number).waits)) : "";
  for (const number of wanted) shown.get(number).element.classList.toggle("as-others", Boolean(common) && shown.get(number).waits === common);
  const heads = wanted.map((number) => boards.get(number).head);
  overview.show(heads, many ? counted(wanted.map((number) => boards.get(number))) : {}, wanted.every((number) => shown.get(number).element.hidden), common);
  round.hidden = wanted.length < 2 || heads.every((head) => head.match);
  const rounds = new Set(heads.map((head) => ("last" in head ? head.last : head.round)));
  round.download = `${rounds.size === 1 && heads[0].round ? `round-${[...rounds][0]}` : "games"}.pgn`;
  arrange(main, [...(played().every((number) => wanted.includes(number)) ? [] : [back]), overview.element, list, round]);
  tick();
}

function tick() {
  for (const show of shown.values()) show.tick(clock.late);
}

addEventListener("hashchange", () => {
  find();
  route();
  scrollTo(0, 0);
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input")) return;
  const wanted = chosen();
  const show = wanted.length === 1 ? shown.get(wanted[0]) : [...shown.values()].find((each) => each.element.contains(event.target));
  if (show && !small() && show.key(event.key)) event.preventDefault();
});

const delay = document.body.dataset.delay;
const note = document.getElementById("delay");
note.hidden = !delay;
text(note, delay === "game-end" ? say("delayed-end") : say("delayed", { minutes: Number(delay).toLocaleString(document.documentElement.lang) }));
run(tick);
