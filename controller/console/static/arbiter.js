// The arbiter's console: many boards on one page, or one board (a match: both) in full, by the address after "#".

import { hurried, run } from "./clock.js";
import { dialogue, ofGame } from "./dialogue.js";
import { h, heard, say, text } from "./dom.js";
import { alike, counted, Overview } from "./overview.js";
import { among } from "./lazy.js";
import { all, rules, some } from "./may.js";
import { notice } from "./notice.js";
import { natural, title } from "./score.js";
import { Panel } from "./panel.js";
import { Sound } from "./sound.js";
import { follow, signedOut } from "./stream.js";
import { sort, Tile } from "./tiles.js";

const TOAST_MS = 12_000;
const WAIT_MS = 1_000; // who has had no answer for so long is told that it is to come
const ALL = new Set(["head", "reports", "board", "clock", "moves", "cases", "notices", "away"]);

const name = document.title;
const main = document.getElementById("main");
const calls = document.getElementById("calls");
const toast = document.getElementById("toast");
const live = document.getElementById("say"); // read aloud as it changes
const sound = new Sound(document.getElementById("sound"));
const tiles = new Map();
const panels = new Map();
const list = h("ul.tiles", { "aria-label": say("boards") });
const seen = h("button.primary", { type: "button", hidden: true, "data-key": "seen-on-all", onclick: () => dark().forEach(see) });
const common = h("div.trouble");
const overview = new Overview(sift, {
  ...(some && { "only-mine": (head) => rules(head.number) }),
  ...((all || some) && { "only-waiting": () => false }), // those are shown whatever is wanted
}, [seen, common]);
const back = h("a.back", { href: "#" }, say("all-boards"));
const known = new Set(); // the cases told so far
let page = null;
let toasted = 0;
let late = 0; // rulings whose answer is still to come
let called = ""; // the boards elsewhere that need the arbiter
let commonly = ""; // what is wrong for all alike
let second = 0; // the last one in which all clocks were drawn

const { boards, clock } = follow("/arbiter/events", { told, heard });

function told(changed, anew) {
  for (const number of changed.keys()) if (boards.get(number).head) tile(number);
  among([...tiles.values()]);
  for (const [number, parts] of changed) {
    const board = boards.get(number);
    if (!board.head) continue;
    const names = new Set(Object.keys(parts));
    tile(number).show(board);
    panels.get(number)?.show(board, names);
    if (parts.cases) announce(board, anew);
  }
  for (const number of tiles.keys()) if (!boards.has(number)) tiles.delete(number);
  route();
  call();
  second = 0;
  tick();
}

function tile(number) {
  if (!tiles.has(number)) tiles.set(number, new Tile(number));
  return tiles.get(number);
}

/** The boards shown in full: the one asked for, with its partner in a match; or the only ones there are. */
function chosen() {
  const numbers = [...boards.keys()].filter((number) => boards.get(number).head).sort(natural);
  const asked = decodeURIComponent(location.hash.slice(1));
  const first = boards.has(asked) ? asked : numbers[0];
  const match = boards.get(first)?.head?.match?.id;
  const group = match ? numbers.filter((number) => boards.get(number).head.match?.id === match) : [first];
  return boards.has(asked) || group.length === numbers.length ? group.filter(Boolean) : [];
}

function route() {
  if (!boards.size) return;
  const wanted = chosen();
  const now = wanted.join(" ");
  if (!wanted.length) {
    sort(list, tiles.values());
    sift();
  }
  if (now === page) return;
  page = now;
  panels.clear();
  document.body.classList.toggle("one", wanted.length === 1);
  document.body.classList.toggle("two", wanted.length === 2);
  if (!wanted.length) {
    main.replaceChildren(overview.element, list);
    return;
  }
  for (const number of wanted) {
    const panel = new Panel(number, rule, know);
    panel.show(boards.get(number), ALL);
    panels.set(number, panel);
  }
  const alone = wanted.length === boards.size;
  main.replaceChildren(...(alone ? [] : [back]), h("div.panels", {}, [...panels.values()].map((panel) => panel.element)));
}

/** Of many boards those are shown that are looked for, and whichever need the arbiter. */
function sift() {
  const shown = [...tiles.values()];
  for (const each of shown) each.element.hidden = each.attention < 2 && !overview.wants(boards.get(each.number).head);
  const notices = ofAll();
  const now = JSON.stringify(notices);
  if (now !== commonly) common.replaceChildren(...notices.map(notice)); // else what was unfolded stays so
  commonly = now;
  const none = shown.every((each) => each.element.hidden);
  const parts = shown.map((each) => boards.get(each.number));
  const same = overview.compact ? alike(shown.map((each) => each.waits)) : "";
  for (const each of shown) each.link.classList.toggle("as-others", Boolean(same) && each.waits === same);
  overview.show(parts.map(({ head }) => head), counted(parts, besides(shown, notices.length)), none, same);
  offer(dark());
  list.classList.toggle("compact", overview.compact);
}

/** The cases of boards that nobody watched for a while and on which we rule: after a power cut all have one. */
function dark() {
  const ours = [...tiles.keys()].filter(rules);
  return ours.flatMap((number) => boards.get(number).cases.filter((each) => each.dark && each.state === "told").map(({ seq }) => ({ number, seq })));
}

/** One button for these cases, which are the same on many boards. */
function offer(cases) {
  const { size } = new Set(cases.map(({ number }) => number));
  text(seen, say("seen-on-all", { number: size }));
  seen.hidden = size < 2;
}

function see({ number, seq }) {
  rule(number, { do: "seen", case: seq });
}

/** What is wrong for all boards of a computer alike, each once. */
function ofAll() {
  const told = [...boards.values()].flatMap(({ notices = [] }) => notices.filter((each) => each.all));
  return [...new Map(told.map((each) => [each.what, each])).values()];
}

/** What else is counted here than on the spectators' page; `common`: so many faults are no board's own. */
function besides(shown, common) {
  return {
    "count-waiting": shown.filter((each) => each.attention > 1).length,
    "count-faults": shown.filter((each) => each.faulty).length + common,
  };
}

/** Who needs the arbiter elsewhere: a line of links on every page; and how many do, in the title of the tab. */
function call() {
  const waiting = [...tiles.values()].filter((each) => each.attention > 1).length;
  document.title = waiting ? `(${waiting}) ${name}` : name;
  const needy = [...tiles.values()].filter((each) => page && each.attention > 1 && (panels.size > 1 || !panels.has(each.number)));
  needy.sort((a, b) => b.attention - a.attention || a.since - b.since);
  const now = needy.map((each) => each.number).join(" ");
  if (now === called) return;
  called = now;
  calls.hidden = !needy.length;
  const link = ({ number }) => h("a", { href: `#${encodeURIComponent(number)}`, onclick: (event) => show(event, number) }, title(boards.get(number).head));
  calls.replaceChildren(h("span", {}, say("needs-you")), ...needy.map(link));
}

/** What a board on this page needs is brought into view; others have pages of their own. */
function show(event, number) {
  const card = panels.get(number)?.element.querySelector("article.case");
  if (!card) return;
  event.preventDefault();
  card.scrollIntoView({ block: "center" });
  card.querySelector("button")?.focus();
}

/** Says what is new, and sounds; what was there when the page was opened is not. What waits no more is said no more. */
function announce(board, anew) {
  const { game, number } = board.head;
  const key = (each) => `${game} ${each.seq}`;
  const waiting = board.cases.filter((each) => each.state !== "closed" && each.state !== "held");
  const fresh = waiting.filter((each) => !known.has(key(each)));
  for (const each of board.cases) known.add(key(each));
  for (const line of [...live.children]) if (line.dataset.board === number && !waiting.some((each) => key(each) === line.dataset.case)) line.remove();
  if (anew || !fresh.length || !rules(number)) return;
  live.replaceChildren(
    ...fresh.map((each) => h("p", { "data-board": number, "data-case": key(each) }, say("of-board", { number, what: `${say(`state-${each.state}`)}. ${each.what.join(" ")}` }))),
  );
  sound.play();
}

/** What has to be known of a board before a ruling: `what` may have been played at a place of its score, or would be undone. Null, once that is said, where there is no answer. */
async function know(number, what, asked = {}) {
  const answer = await send(`${encodeURIComponent(number)}/${what}`, asked);
  if (answer?.ok) return answer.json();
  await complain(answer);
  return null;
}

/** Sends a ruling; says so where no answer came, or it was refused. `done`: what to say where nothing would be seen of it. Whether it was taken. */
async function rule(number, ruling, done = "") {
  toast.hidden = true;
  const answer = await heeded(send(encodeURIComponent(number), { game: boards.get(number).head.game, ...ruling }));
  if (!answer?.ok) await complain(answer, () => insist(number));
  else if (done) tell(done); // else what is said of another ruling, refused meanwhile, stays
  return Boolean(answer?.ok);
}

/** The answer to a ruling; where it is long in coming, as on a full disk, that is said until it is there. */
async function heeded(answer) {
  let told = false;
  const wait = setTimeout(() => [(told = true), (late += 1), tell(say("awaited"), Infinity)], WAIT_MS);
  await answer;
  clearTimeout(wait);
  if (told) late -= 1;
  if (told && !late && toast.textContent === say("awaited")) toast.hidden = true;
  return answer;
}

/** Play is to go on, and the board does not show that the pieces were put back: the arbiter sees whether they were. */
function insist(number) {
  const { head, board } = boards.get(number);
  const anyway = [say("resume-anyway"), "", () => ({ do: "resume", insist: true })];
  dialogue(number, say("resume"), [h("p", {}, say("resume-unrestored", { squares: board.displaced.join(", ") }))], [anyway], ofGame(head.game, rule));
}

async function send(where, what) {
  const body = JSON.stringify(Object.fromEntries(Object.entries(what).filter(([, value]) => value != null)));
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`/arbiter/boards/${where}`, { method: "POST", headers, body }).catch(() => null);
  if (answer?.status === 401) signedOut();
  return answer;
}

/** Says why something was refused, or that no answer came. `insist`: asks whether it is to be done all the same. */
async function complain(answer, insist) {
  const said = answer?.headers.get("Content-Type")?.startsWith("application/json") ? await answer.json() : null;
  if (said?.unrestored) insist();
  else if (said?.settled) tell(say("settled-already"));
  else tell(said ? say("refused", { what: said.told }) : say("not-sent"));
}

function tell(what, ms = TOAST_MS) {
  text(toast, what);
  toast.hidden = !what;
  clearTimeout(toasted);
  if (ms < Infinity) toasted = setTimeout(() => (toast.hidden = true), ms);
}

/** Lets the clocks run on. Many boards are drawn once a second, all at once: a page of them must stay quiet. */
function tick() {
  const now = Math.floor(Date.now() / 1000);
  if (page) for (const panel of panels.values()) panel.tick(clock.late);
  else for (const each of tiles.values()) if (now !== second || hurried(boards.get(each.number).clock, clock.late)) each.tick(clock.late);
  second = now;
}

addEventListener("hashchange", () => {
  route();
  call();
  second = 0;
  tick();
  const heading = main.querySelector("h2");
  if (page) heading?.focus();
  scrollTo(0, 0);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog") && page) location.hash = "";
});
run(tick);
