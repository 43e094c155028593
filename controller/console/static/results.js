// The results of a round, followed: what came since is fetched, unless somebody is giving a result at that moment; then
// the page says that some came, and has them once he is done.

import { follow } from "./stream.js";

const WAIT_MS = 1_000; // what is told of a board may take so long to be a result; and many come at once

const rows = document.querySelector(".results tbody");
const newer = document.getElementById("newer");
const known = new Map(); // what the game on each board came to, as far as that was told since
let due = 0;
let asking = false;

const { boards } = follow("/arbiter/events", { told, heard: () => {} }, newer.dataset.since);

function told(changed) {
  if ([...changed.keys()].filter(news).length) soon();
}

/** Whether the game on that board has come to something else than is known, or than the table has of one first told of. */
function news(number) {
  const { board } = boards.get(number);
  const now = board?.over ? board.result : "";
  const other = known.has(number) ? known.get(number) !== now : Boolean(board) && Boolean(now) !== has(number);
  known.set(number, now);
  return other;
}

/** Whether the table has a result of that board. */
function has(number) {
  return [...rows.rows].some((row) => row.cells[0].textContent === number && row.querySelector("strong"));
}

function soon() {
  clearTimeout(due);
  due = setTimeout(look, WAIT_MS);
}

/** Shows the results as they are now. */
async function look() {
  newer.hidden = !giving();
  if (giving()) return;
  if (asking) return soon();
  asking = true;
  const answer = await fetch(newer.querySelector("a").href).catch(() => null);
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  asking = false;
  if (!page?.getElementById("newer")) return;
  if (giving()) newer.hidden = false;
  else for (const part of [".results tbody", "#as-of", "main > .trouble"]) document.querySelector(part).innerHTML = page.querySelector(part).innerHTML;
}

/** Whether a form is open. */
function giving() {
  return Boolean(rows.querySelector("details[open]"));
}

rows.addEventListener("toggle", () => !newer.hidden && !giving() && look(), true);
document.addEventListener("visibilitychange", () => document.hidden || soon()); // what others gave by hand no board tells
